"""Fights as files: a record is written as a fight goes, read back with care, and played again."""

from heartrush_env.records.record import Record, Recorder, RecordError, Step, read_record
from heartrush_env.records.replay import Moment, check, replay
from heartrush_env.records.tables import scenario_table

__all__ = ["Moment", "Record", "RecordError", "Recorder", "Step", "check", "read_record", "replay", "scenario_table"]
