"""Processes that tests start heed Ctrl-C, and end with their test."""

import signal
import subprocess
import sys

import pytest

from tests.processes import PATIENCE, finished, runs, started, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals groups of processes")

WITH_A_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


def test_what_a_test_starts_ends_with_it_whatever_happens() -> None:
    words = (sys.executable, "-c", WITH_A_CHILD)
    with pytest.raises(RuntimeError), started(*words, stdout=subprocess.PIPE, text=True) as process:
        child = int(process.stdout.readline())  # type: ignore[union-attr]
        assert runs(process.pid) and runs(child)
        raise RuntimeError
    assert process.returncode == -signal.SIGKILL
    wait_until(lambda: not runs(child), "the child of what the test had started still runs")


def test_interrupts_are_heeded_where_the_tests_themselves_ignore_them() -> None:
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with started(sys.executable, "-c", "input()", stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) in (-signal.SIGINT, 1, 130)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, usual)


def test_a_finished_process_tells_what_it_wrote() -> None:
    done = finished(sys.executable, "-c", "print(input()); import sys; sys.exit('so')", input="a\n", text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "a\n", "so\n")
