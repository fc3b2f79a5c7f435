"""The endpoints for uploaded records: one shows a fight, the other judges it. Each handles one record at a time."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.middleware import refusal
from heartrush_env.app.server.recorded.showing import NAME, shown
from heartrush_env.app.server.transport import read_body
from heartrush_env.records import parse_record
from heartrush_env.tabletop.errors import HeartRushError

LARGEST_RECORD: Final = 4 * 2**20  # bytes
MOST_WAITING: Final = 8  # records
SECONDS_TO_JUDGE: Final = 180.0  # solvers compile at first use, which takes a minute
PROGRAM: Final = (sys.executable, "-P", "-m", "heartrush_env.app.server.recorded.review")
BUSY: Final = f"{MOST_WAITING} records are already waiting, which is the limit; try again later."
TOO_LONG: Final = (
    f"The fight takes longer than {SECONDS_TO_JUDGE:g} seconds to judge; `heartrush duel analyse` has no limit."
)


class Records:
    """The handlers that show and judge records."""

    def __init__(self, limits: Limits) -> None:
        """Work within these limits."""
        self.limits = limits
        self._thread = ThreadPoolExecutor(1, "records")
        self._judging = asyncio.Semaphore(1)
        self._waiting = 0

    async def show(self, request: Request) -> Response:
        """Answer `POST /v1/replay`."""
        return await self._answered(request, self._shown)

    async def judge(self, request: Request) -> Response:
        """Answer `POST /v1/review`."""
        return await self._answered(request, self._judged)

    async def _answered(self, request: Request, answer: Callable[[bytes], Awaitable[dict[str, Any]]]) -> Response:
        body = await read_body(request, self.limits, LARGEST_RECORD)
        if isinstance(body, Response):
            return body
        if self._waiting >= MOST_WAITING:
            return refusal(503, "full", BUSY)
        self._waiting += 1
        try:
            found = await answer(body)
        except HeartRushError as problem:
            return refusal(400, "bad_record", str(problem))
        except TimeoutError:
            return refusal(503, "too_much", TOO_LONG)
        except RuntimeError:
            return refusal(500, "internal", "The fight could not be judged.")
        finally:
            self._waiting -= 1
        return JSONResponse(found, 400 if found["type"] == "error" else 200)

    async def _shown(self, content: bytes) -> dict[str, Any]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, shown, content)

    async def _judged(self, content: bytes) -> dict[str, Any]:
        """Return the judgement from a subprocess, which is killed if it takes too long."""
        await asyncio.get_running_loop().run_in_executor(self._thread, parse_record, content, NAME)
        async with self._judging:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(*PROGRAM, stdin=pipe, stdout=pipe)
            try:
                written, _ = await asyncio.wait_for(process.communicate(content), SECONDS_TO_JUDGE)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if process.returncode != 0:
            raise RuntimeError
        found: dict[str, Any] = json.loads(written)
        return found
