"""Fights as files: records are written during a fight, validated when read, and replayed."""

from heartrush_env.records.record import Record, RecordError, Step, parse_record, read_record
from heartrush_env.records.recorder import Recorder
from heartrush_env.records.replay import Moment, check, replay

__all__ = [
    "Moment",
    "Record",
    "RecordError",
    "Recorder",
    "Step",
    "check",
    "parse_record",
    "read_record",
    "replay",
]
