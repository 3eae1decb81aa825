"""Runs a plan of steps, and goes on with a run that paused, halted or crashed.

  skill-wizard run plan.yaml --store sqlite:records.db         begins the run, or goes on with it
  skill-wizard run plan.yaml --run run_002 …                   another run of the same plan
  skill-wizard run plan.yaml --approve STEP --by ada …         says yes to a step, and goes on
  skill-wizard run plan.yaml --decline STEP --by ada …         says no to it
  skill-wizard run plan.yaml --from STEP …                     begins at an earlier step: what was done is passed
                                                               over, for free
  skill-wizard run plan.yaml --stop --by ada …                 asks a running run to stop between two steps
  skill-wizard run plan.yaml --back …                          goes back to this plan's declarations, where the store
                                                               has left them for those of a newer plan
  skill-wizard run plan.yaml --show …                          shows the run and its trace, and runs nothing
  skill-wizard run plan.yaml --watch …                         stays, and resumes runs of this plan that crash

A plan is YAML: `workflow`, `version`, `steps` with `name`, `operation`, `arguments` and `cost`, `spend_cap`,
`approvers` (schemas/plan.json). A step that moves money costs that money and needs an approver. Each step happens once,
however often it is run; one whose outcome nobody saw pauses the run until `skill-wizard records settle` says what it
was.

Keys are derived with the secret in SKILL_WIZARD_SECRET (`NAME:TEXT`). Exit code 1: the run paused or halted.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.cli.commands._host import host, now, open_store, send_arguments, shown, store_arguments, table
from wizard.cli.exits import Exit

if TYPE_CHECKING:
    from datetime import datetime

    from wizard.host.loop import Loop
    from wizard.host.plan import Plan
    from wizard.host.runs import Run
    from wizard.host.store import Store
    from wizard.operation.model import Operation

_INTERRUPTED = (
    "The run {run} was interrupted. A request that was on its way may have been carried out; it is kept as attempted"
    " (skill-wizard records list --all). The same command goes on from there."
)
SHOW = "`--show` says where the run stands."
SUMMARY = "run a plan of steps, each once, and go on with it"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="PLAN", help="the plan, a YAML file")
    store_arguments(parser)
    parser.add_argument("--run", metavar="NAME", dest="run_id", help="the run's name (default: the workflow's)")
    what = parser.add_argument_group("instead of going on").add_mutually_exclusive_group()
    what.add_argument("--show", action="store_true", help="show the run and its trace")
    what.add_argument("--stop", action="store_true", help="ask the run to stop between two steps")
    what.add_argument("--decline", metavar="STEP", help="say no to a step that waits for an approval")
    before = parser.add_argument_group("before going on").add_mutually_exclusive_group()
    before.add_argument("--approve", metavar="STEP", help="say yes to a step that waits for an approval")
    before.add_argument("--from", metavar="STEP", dest="start", help="begin at this earlier step")
    before.add_argument("--watch", action="store_true", help="stay, and resume runs of this plan that crash")
    parser.add_argument(
        "--back", action="store_true", help="go back to this plan's declarations, though newer ones took their place"
    )
    parser.add_argument("--by", metavar="NAME", help="who approves, declines or stops")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    send_arguments(parser)


def run(args: argparse.Namespace) -> int:
    plan = read_plan(Path(args.plan))
    run_id = args.run_id or plan.workflow
    looks = args.show or args.approve or args.decline or args.stop
    store = open_store(args, existing=bool(looks))
    try:
        if args.approve or args.decline or args.stop:
            _say(args, plan, run_id, store)
            if args.stop or args.decline:
                return Exit.CLEAN
        if args.show:
            return _show(args, store, run_id)
        loop = _loop(args, store)
        if args.back:
            _bring_back(args, plan, loop)
        if args.watch:
            return _watch(args, plan, loop)
        try:
            done = loop.run(plan, run_id, workspace=args.workspace, start=args.start)
        except KeyboardInterrupt:
            print(_INTERRUPTED.format(run=run_id), file=sys.stderr)
            raise
        _print(args, store, done)
        return Exit.CLEAN if done.reason is None else Exit.FINDINGS
    finally:
        store.close()


def read_plan(path: Path) -> Plan:
    """The plan of a file; a step's operation may stand in a file of its own, named from the plan's folder. Raises
    ConfigError."""
    from wizard.errors import ConfigError, SkillError
    from wizard.host.planfile import parse_plan
    from wizard.skill.document import parse_skill
    from wizard.skill.files import read_text

    def load(name: str) -> tuple[str, Operation]:
        try:
            document = parse_skill(read_text(path.parent / name))
        except (SkillError, OSError) as error:
            raise ConfigError(f"`{name}` cannot be read: {error}") from error
        if document.operation is None:
            raise ConfigError(f"`{name}` declares no operation")
        return document.name or Path(name).stem, document.operation

    try:
        source = read_text(path)
    except SkillError as error:
        raise ConfigError(error.message, place=error.place, remedy=error.remedy) from error
    return parse_plan(source, load)


def _loop(args: argparse.Namespace, store: Store) -> Loop:
    from wizard.host.loop import Loop

    return Loop(host=host(args, store, secrets=True), wait=_wait)


def _bring_back(args: argparse.Namespace, plan: Plan, loop: Loop) -> None:
    """Brings the plan's operations under its declarations, also where the store has left them for newer ones."""
    from wizard.errors import UsageError
    from wizard.host import approvals, moving

    store, secrets = loop.host.store, loop.host.secrets_of(args.workspace)
    for step in plan.steps:
        operation = approvals.recorded(step.operation)
        moved = moving.move(store, args.workspace, step.operation_name, operation, secrets, now(), back=True)
        if isinstance(moved, moving.HeldBack):
            stuck = "; ".join(f"{record.id}: {why}" for record, why in moved.stuck)
            raise UsageError(
                f"{step.name} cannot go back to this plan's declaration ({stuck})",
                remedy="Settle or release those with `skill-wizard records`.",
            )


def _wait(until: datetime) -> None:
    import time

    time.sleep(max((until - now()).total_seconds(), 0))


def _say(args: argparse.Namespace, plan: Plan, run_id: str, store: Store) -> None:
    """Approves, declines or stops, in somebody's name."""
    from secrets import token_urlsafe

    from wizard.errors import UsageError
    from wizard.host import approvals, runs
    from wizard.host.loop import held_id

    if not args.by:
        raise UsageError("somebody has to say so", remedy="Add --by NAME.")
    if args.stop:
        runs.request_stop(store, args.workspace, run_id, by=args.by)
        print(f"The run {run_id} stops before its next step.")
        return
    step = args.approve or args.decline
    named, may = held_id(run_id, step), plan.approvers or None
    held = approvals.read(store, args.workspace, named)
    if held is None:
        raise UsageError(f"the step `{step}` of {run_id} does not wait for an approval", remedy=SHOW)
    if args.decline:
        approvals.decline(store, args.workspace, named, by=args.by, now=now(), reason=args.reason, may=may)
        print(f"{args.by} decided against {step}.")
        return
    if held.state is not approvals.HeldState.WAITING and held.by == args.by:
        # The same yes said twice, as by a second press of the button.
        return
    approvals.approve(
        store, args.workspace, named, by=args.by, token=token_urlsafe(32), now=now(), reason=args.reason, may=may
    )


def _watch(args: argparse.Namespace, plan: Plan, loop: Loop) -> int:
    import random
    import time

    from wizard.host.supervisor import Supervisor

    def plan_of(run: Run) -> Plan | None:
        return plan if run.workflow == plan.workflow else None

    supervisor = Supervisor(loop=loop, plan_of=plan_of, chance=random.random, only=lambda run: plan_of(run) is not None)
    while True:
        for done in supervisor.tick(args.workspace):
            _print(args, loop.host.store, done)
        time.sleep(1)


def _show(args: argparse.Namespace, store: Store, run_id: str) -> int:
    from wizard.errors import UsageError
    from wizard.host import runs

    found = runs.read_run(store, args.workspace, run_id)
    if found is None:
        raise UsageError(f"there is no run `{run_id}` in the workspace `{args.workspace}`")
    _print(args, store, found)
    return Exit.CLEAN


def _print(args: argparse.Namespace, store: Store, run: Run) -> None:
    from wizard.host import runs
    from wizard.host.runs import Reason

    trace = runs.trace_of(store, args.workspace, run.id)
    spent = runs.spent(store, args.workspace, run.id)
    if args.format == "json":
        print(json.dumps({
            "version": 1, "run": run.id, "workflow": run.workflow, "workflow_version": run.version,
            "state": run.shown(now()), "reason": run.reason, "detail": run.detail,
            "next_step_index": run.next_step_index, "spent": str(spent),
            "trace": [
                {"at": line.at.isoformat(), "mark": line.mark, "step": line.step, "cost": str(line.cost),
                 "authorised_by": line.authorised_by, "detail": line.detail}
                for line in trace
            ],
        }, ensure_ascii=False, indent=2))  # fmt: skip
        return
    rows = [("WHEN", "WHAT", "STEP", "COST", "AUTHORISED BY")]
    rows += [
        (shown(line.at), str(line.mark), line.step, str(line.cost) if line.cost else "", line.authorised_by)
        for line in trace
    ]
    print(table(rows), end="")
    state = run.shown(now())
    print(f"\n{run.id}: {state}" + (f", {run.reason}" if run.reason else "") + f". Spent: {spent}.")
    if run.detail:
        print(run.detail)
    if run.reason is Reason.NO_APPROVER:
        step = run.steps[run.next_step_index]
        print(f"Say yes with --approve {step} --by NAME, or no with --decline {step} --by NAME.")
    elif run.reason is Reason.OUTCOME_UNKNOWN:
        print(
            "Look at the recipient, and say what you saw: --it-happened or --it-did-not, with --by NAME --reason TEXT."
        )
        print("Then run the plan again; it goes on from there.")
    elif run.reason is Reason.DECLARATION_CHANGED:
        print("If this plan is the right one all the same, add --back.")
