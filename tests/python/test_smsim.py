# SPDX-License-Identifier: MIT
"""The Python module as its users call it."""

import copy
import os
import subprocess
import sys
import threading
from types import MappingProxyType

import numpy
import pytest

import smsim

TRACES = os.path.join(os.environ["SMSIM_SOURCE"], "traces")
SGEMM = os.path.join(TRACES, "volta", "sgemm_8x8_remapped.sass")


@pytest.fixture
def program():
    return smsim.read(SGEMM)


def test_a_prediction_is_the_command_lines(program):
    result = smsim.predict(program, arch="volta-v100", warps=4)
    assert result.cycles_per_iteration == 265
    assert result.arch == "volta-v100"
    assert result.to_dict()["cycles_per_iteration"] == 265
    assert "265" in str(result)


def test_the_architecture_is_the_programs_own_unless_one_is_named(program):
    assert smsim.predict(program).arch == "volta-v100"
    assert smsim.predict(program, arch="sm_90").arch == "hopper-gh100"


def test_slots_sum_to_cycles_times_blocks_and_the_matrix_holds_the_same(program):
    result = smsim.predict(program, warps=8)
    total = result.window_cycles * result.processing_blocks
    assert sum(result.slots.values()) == total
    matrix = result.slot_matrix
    assert matrix.dtype == numpy.uint64
    assert matrix.shape == (len(result.instructions), len(smsim.REASONS))
    assert matrix.sum() == total
    row = dict(zip(smsim.REASONS, matrix[0]))
    assert {k: v for k, v in row.items() if v} == result.instructions[0].slots


def test_overrides_replace_numbers_of_the_architecture(program):
    base = smsim.predict(program, warps=4)
    one_bank = smsim.predict(program, warps=4, overrides={
        "register_file.banks": 1, "register_file.mapping": "0"})
    assert one_bank.cycles_per_iteration > base.cycles_per_iteration
    arch = smsim.load_arch("volta-v100", {"register_file.banks": 1, "register_file.mapping": "0"})
    assert smsim.predict(program, arch=arch).cycles_per_iteration == one_bank.cycles_per_iteration
    with pytest.raises(ValueError):
        smsim.predict(program, arch=arch, overrides={"register_file.banks": 2})


def test_an_edited_stall_count_is_predicted_without_reading_again(program):
    before = smsim.predict(program).cycles_per_iteration
    edited = copy.copy(program)
    control = edited.functions[0].instructions[-1].control
    loop = edited.functions[0].loops()[0]
    body = [i for i in edited.functions[0].instructions if loop.start <= i.address <= loop.end]
    body[3].control.stall += 9
    assert smsim.predict(edited).cycles_per_iteration > before
    assert smsim.predict(program).cycles_per_iteration == before
    assert control.stall == program.functions[0].instructions[-1].control.stall


def test_a_register_is_renamed_in_operand_and_text(program):
    ffma = next(i for i in program.functions[0].instructions if i.opcode == "FFMA")
    others = [op.text for op in ffma.operands]
    ffma.set_register(1, 201)
    assert ffma.operands[1].index == 201
    assert ffma.operands[1].text.startswith("R201")
    assert "R201" in ffma.text
    assert [op.text for op in ffma.operands][2:] == others[2:]


def test_a_wide_operand_keeps_its_alignment(program):
    load = next(i for i in program.functions[0].instructions if i.opcode.endswith(".128"))
    with pytest.raises(ValueError):
        load.set_register(0, 6)
    load.set_register(0, 8)
    assert load.operands[0].index == 8
    with pytest.raises(IndexError):
        load.set_register(40, 8)


@pytest.mark.parametrize("field, value", [("stall", -1), ("write_barrier", 8), ("wait_mask", 64)])
def test_a_control_field_takes_only_what_it_can_encode(program, field, value):
    control = program.functions[0].instructions[0].control
    before = getattr(control, field)
    with pytest.raises(ValueError):
        setattr(control, field, value)
    assert getattr(control, field) == before


def test_many_predictions_come_back_in_order(program):
    warps = [1, 4, 8, 16] * 5
    results = smsim.predict_many([{"program": program, "warps": w} for w in warps], threads=2)
    assert [r.warps for r in results] == warps
    alone = {w: smsim.predict(program, warps=w).cycles_per_iteration for w in set(warps)}
    assert [r.cycles_per_iteration for r in results] == [alone[w] for w in warps]
    assert smsim.predict_many([]) == []


def test_other_python_threads_run_meanwhile(program):
    ticks = 0
    stop = threading.Event()

    def tick():
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    # Of its own accord an interpreter hands on its lock every 5 ms: a call that kept it would let
    # the other thread through once, at its end.
    before = ticks
    smsim.predict_many([{"program": program, "warps": 16}] * 200)
    during = ticks - before
    stop.set()
    ticker.join()
    assert during > 2


def test_a_program_outlives_the_names_it_had():
    results = smsim.predict_many([{"program": smsim.read(SGEMM), "warps": 4} for _ in range(3)])
    assert len({r.cycles_per_iteration for r in results}) == 1
    instructions = smsim.read(SGEMM).functions[0].instructions
    assert instructions[0].text


def test_a_renamed_register_changes_the_prediction_of_the_same_program(program):
    """What is kept of code that was predicted before does not outlive an edit."""
    before = smsim.predict(program, warps=4).cycles_per_iteration
    ffmas = [i for i in program.functions[0].instructions if i.opcode == "FFMA"]
    for ffma in ffmas:  # all sources in one bank
        for operand in (1, 2, 3):
            ffma.set_register(operand, ffma.operands[operand].index & ~1)
        ffma.control.reuse = 0
    changed = smsim.predict(program, warps=4).cycles_per_iteration
    assert changed > before
    assert smsim.predict(smsim.read(SGEMM), warps=4).cycles_per_iteration == before
    assert smsim.predict_many([{"program": program}])[0].cycles_per_iteration == changed


EDITS = {
    "stall": lambda i: setattr(i.control, "stall", 7),
    "yield": lambda i: setattr(i.control, "yield_", not i.control.yield_),
    "wait": lambda i: setattr(i.control, "wait_mask", 0),
    "write barrier": lambda i: setattr(i.control, "write_barrier", 5),
    "read barrier": lambda i: setattr(i.control, "read_barrier", 5),
    "reuse": lambda i: setattr(i.control, "reuse", i.control.reuse ^ 1),
    "register": lambda i: i.set_register(2, 3),
}


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_says_the_same_whether_the_code_was_predicted_before_or_not(kind):
    answers = []
    for known in (True, False):
        edited = smsim.read(SGEMM)
        if known:
            smsim.predict(edited, warps=8)
        for instruction in edited.functions[0].instructions[60:90]:
            if instruction.opcode == "FFMA":
                EDITS[kind](instruction)
        answers.append(smsim.predict(edited, warps=8, allow_unset_waits=True).to_dict())
    assert answers[0] == answers[1]


def test_the_loop_and_branches_asked_for_count_each_time():
    path = os.path.join(TRACES, "hopper", "stencil3.sass")
    two = smsim.read(path)
    loops = two.functions[0].loops()
    lengths = [smsim.predict(two, loop=str(n)).loop.instructions for n in range(len(loops))]
    assert lengths == [loop.instructions for loop in loops]
    whole = smsim.predict(two, loop="all")
    assert not whole.is_loop


def test_a_timeline_is_numpy_arrays(program):
    recording = smsim.record(program, warps=4, iterations=1)
    issued = recording.instructions
    assert len(issued) == 4 * len(recording.steps)
    first = issued[issued["warp"] == 0]
    assert (numpy.diff(first["issue"]) >= 1).all()
    assert recording.result.cycles_per_iteration == smsim.predict(program).cycles_per_iteration
    waits = recording.waits[first["first_wait"][5]:][:first["wait_count"][5]]
    assert (waits["end"] > waits["begin"]).all()
    assert waits["reason"].max(initial=0) < len(smsim.REASONS)
    assert set(recording.reads["bank"]) == {0, 1}


def test_cells_show_each_issue_in_its_cycle(program):
    recording = smsim.record(program, warps=1, iterations=2)
    cells = recording.cells
    assert cells.dtype == numpy.uint8 and len(cells) == len(recording.instructions)
    issue = smsim.PHASES.index("issue")
    assert ((cells == issue).sum(axis=1) == 1).all()
    columns = (cells == issue).argmax(axis=1) + recording.begin
    assert (columns == recording.instructions["issue"]).all()


def test_a_timeline_of_iterations_that_do_not_exist_raises(program):
    with pytest.raises(smsim.Error):
        smsim.record(program, loop="all", first_iteration=7)


def test_a_missing_file_raises_with_its_name():
    with pytest.raises(smsim.Error) as caught:
        smsim.read("/nonexistent.sass")
    assert caught.value.kind == "no_file"
    assert "nonexistent" in str(caught.value)


def test_bad_text_raises_with_place_and_hint():
    with pytest.raises(smsim.Error) as caught:
        smsim.read_text("not a disassembly\n", source="mine.sass")
    assert caught.value.kind == "bad_input"
    assert caught.value.file == "mine.sass"
    assert caught.value.diagnostics


def test_a_mistyped_architecture_raises_with_the_near_one(program):
    with pytest.raises(smsim.Error) as caught:
        smsim.predict(program, arch="hoper-gh100")
    assert "hopper-gh100" in caught.value.hint


def test_one_bad_request_of_many_raises(program):
    with pytest.raises(smsim.Error):
        smsim.predict_many([{"program": program}, {"program": program, "function": "nope"}])
    with pytest.raises(TypeError):
        smsim.predict_many([{"program": program, "warp": 4}])


def test_an_unknown_argument_is_named_with_those_that_there_are(program):
    for call in (smsim.predict, smsim.record):
        with pytest.raises(TypeError, match="'warp'.*lane_strides"):
            call(program, warp=4)
    with pytest.raises(TypeError, match="'warp'.*program"):
        smsim.predict_many([{"program": program, "warp": 4}])


def test_predict_record_and_predict_many_take_the_same_options(program):
    options = {"overrides": MappingProxyType({"register_file.banks": 1, "register_file.mapping": "0"}), "lane_strides": None}
    alone = smsim.predict(program, warps=8, **options)
    assert smsim.record(program, warps=8, **options).result.cycles_per_iteration == alone.cycles_per_iteration
    many = smsim.predict_many([{"program": program, "warps": 8, **options}] * 3)
    assert [one.cycles_per_iteration for one in many] == [alone.cycles_per_iteration] * 3
    assert alone.cycles_per_iteration != smsim.predict(program, warps=8).cycles_per_iteration


def test_the_architecture_is_that_of_the_function_asked_for(tmp_path):
    body = "    [B------:R-:W-:-:S04] FFMA R0, R0, R1, R2 ;\n    [B------:R-:W-:-:S05] BRA `(L) ;\n"
    both = tmp_path / "both.sass"
    both.write_text(f".target sm_70\n.text.one:\nL:\n{body}.target sm_90\n.text.two:\nL:\n{body}")
    two = smsim.read(str(both))
    assert smsim.predict(two, function="one").arch == "volta-v100"
    assert smsim.predict(two, function="two").arch == "hopper-gh100"


def test_every_number_of_an_architecture_has_a_source():
    parameters = smsim.load_arch("hopper-gh100").parameters
    assert len(parameters) > 100
    for parameter in parameters:
        assert parameter.key and parameter.value
        assert parameter.source, parameter.key
        assert parameter.status, parameter.key
    assert "hopper-gh100" in smsim.list_archs()


def test_the_blocks_of_the_python_page_run_one_after_the_other(capsys, monkeypatch):
    monkeypatch.chdir(os.environ["SMSIM_SOURCE"])
    with open("docs/python.md", encoding="utf-8") as page:
        blocks = [part.split("```")[0] for part in page.read().split("```python\n")[1:]]
    names = {}
    for block in blocks:
        exec(block, names)  # pylint: disable=exec-used
    assert capsys.readouterr().out.splitlines()[0] == "304.0 cycles per iteration of all warps"


@pytest.mark.parametrize("script", ["bank_study.py", "tiny_optimiser.py"])
def test_the_studies_run(script):
    root = os.environ["SMSIM_SOURCE"]
    done = subprocess.run([sys.executable, "-B", f"docs/python/{script}"], cwd=root, check=True,
                          capture_output=True, text=True)
    assert done.stdout


def test_the_bank_study_draws_a_plot(tmp_path):
    plot = tmp_path / "plot.svg"
    subprocess.run([sys.executable, "-B", "docs/python/bank_study.py", plot], check=True,
                   cwd=os.environ["SMSIM_SOURCE"], capture_output=True)
    assert "<svg" in plot.read_text(encoding="utf-8")


def test_the_readmes_block_runs(capsys, monkeypatch):
    monkeypatch.chdir(os.environ["SMSIM_SOURCE"])
    with open("README.md", encoding="utf-8") as readme:
        block = readme.read().split("```python\n")[1].split("```")[0]
    exec(block, {})  # pylint: disable=exec-used
    assert capsys.readouterr().out.splitlines()[0] == "2 banks: 304.0 cycles per iteration"
