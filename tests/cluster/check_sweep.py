#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep of 10,000 points on a Slurm cluster of two nodes, one of its tasks killed on the way.

usage: check_sweep.py SMSIM ROOT

Starts slurmctld and two slurmd on this machine, in a folder of their own, submits the sweep with
bench/slurm/submit, kills a running task, submits again, and holds the merged file against what one
process writes. Exit code 77: no Slurm here, or not root, which its daemons need.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHARDS = 8
SWEEP = ["traces/volta/sgemm_8x8_compiler.sass", "--set", "register_file.banks=1,2,4,8",
         "--set", "classes.ffma.latency_cycles=4..66", "--set", "scheduler.taken_branch_cycles=1..10",
         "--warps", "1..4"]
POINTS = 4 * 63 * 10 * 4
PATIENCE = 120  # seconds for what takes a few

CONFIG = """\
ClusterName=smsim
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=10000,sched_interval=2,bf_interval=2,defer_batch
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdSpoolDir={folder}/spool.%n
SlurmdLogFile={folder}/slurmd.%n.log
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 RealMemory=500 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=sweep Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_until(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    sys.exit(f"waited {PATIENCE} s for {what}")


@contextlib.contextmanager
def daemons(commands, environment):
    """Starts the commands, each in the foreground of a process of its own, and stops them."""
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)
               for command in commands]
    try:
        yield
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
        for process in reversed(running):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextlib.contextmanager
def cluster(folder):
    """A Slurm of two nodes; gives the environment in which its commands find it."""
    # munged wants its folders to be nobody else's
    munge = folder / "munge"
    for name in ("munge", "state", "spool.n1", "spool.n2"):
        (folder / name).mkdir(mode=0o755)
    key = munge / "key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    host = socket.gethostname().split(".")[0]
    port, first, second = free_ports(3)
    config = folder / "slurm.conf"
    config.write_text(CONFIG.format(host=host, folder=folder, port=port, first=first, second=second))
    environment = {**os.environ, "SLURM_CONF": str(config)}
    files = {"socket": "socket", "key-file": "key", "log-file": "log", "pid-file": "pid", "seed-file": "seed"}
    commands = [["munged", "--foreground", "--force", *(f"--{k}={munge / v}" for k, v in files.items())]]
    with daemons(commands, environment):
        wait_until("munged", (munge / "socket").exists)
        commands = [["slurmctld", "-D", "-f", str(config)],
                    ["slurmd", "-D", "-N", "n1", "-f", str(config)],
                    ["slurmd", "-D", "-N", "n2", "-f", str(config)]]
        with daemons(commands, environment):
            wait_until("two idle nodes", lambda: ask(environment, "sinfo", "-h", "-t", "idle", "-o", "%D") == "2")
            yield environment
            subprocess.run(["scancel", "--user", "root"], env=environment, check=False)
            wait_until("an empty queue", lambda: not ask(environment, "squeue", "-h"))


def ask(environment, *command):
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def submit(environment, root, out):
    command = [str(root / "bench/slurm/submit"), str(SHARDS), str(out), *SWEEP]
    done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()


def kill_a_task(environment, array, parts):
    """Kills the second shard once it has written something, and says what it had written."""
    shard = parts / "1.csv"
    wait_until("a shard at work", lambda: shard.exists() and shard.stat().st_size > 4096)
    subprocess.run(["scancel", "--signal=KILL", "--full", f"{array}_1"], env=environment, check=True)
    wait_until("the end of the sweep", lambda: not ask(environment, "squeue", "-h"))
    return shard.read_bytes()


def main(smsim, root):
    if os.geteuid() != 0 or not all(map(shutil.which, ("slurmctld", "slurmd", "munged"))):
        print("skipped: no Slurm here, or not root")
        return 77
    with tempfile.TemporaryDirectory(prefix="smsim-slurm-") as name:
        folder = Path(name)
        whole, out = folder / "whole.csv", folder / "all.csv"
        subprocess.run([smsim, "sweep", *SWEEP, "-o", str(whole)], cwd=root, check=True)
        rows = whole.read_bytes().count(b"\n") - 1
        assert rows == POINTS >= 10_000, rows
        with cluster(folder) as environment:
            environment["SMSIM"] = smsim
            array, _ = submit(environment, root, out)
            left = kill_a_task(environment, array, Path(f"{out}.parts"))
            assert not out.exists(), "merged without the killed task"
            submit(environment, root, out)
            wait_until("the merge", out.exists)
        assert out.read_bytes() == whole.read_bytes(), "not the bytes of one process"
        part = (Path(f"{out}.parts") / "1.csv").read_bytes()
        assert len(left) < len(part) and part.startswith(left[: left.rfind(b"\n") + 1]), "the killed task began anew"
        print(f"{rows} points on two nodes; the killed task went on from {left.count(10)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
