package io.idem.workshop.simulation.world;

import io.idem.workshop.simulation.check.History;
import io.idem.workshop.simulation.check.RunLog;
import io.idem.workshop.simulation.kernel.Kernel;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The shared state of all parts of one run. */
final class World {

    private final Kernel kernel;
    private final Setup setup;
    private final History history;
    private final RunLog log;
    private final Attempts attempts = new Attempts();
    private final List<String> trace = new ArrayList<>();
    private final Machine outside;
    private int digest;
    private boolean faulty = true;

    World(Kernel kernel, Setup setup, io.idem.workshop.simulation.check.Rules rules) {
        this.kernel = kernel;
        this.setup = setup;
        this.outside = kernel.machine("server");
        this.history = new History(rules, this::trace);
        this.log = new RunLog(kernel::now);
    }

    Kernel kernel() {
        return kernel;
    }

    Setup setup() {
        return setup;
    }

    History history() {
        return history;
    }

    RunLog log() {
        return log;
    }

    Attempts attempts() {
        return attempts;
    }

    SplittableRandom random() {
        return kernel.random();
    }

    /** Returns the machine of events that no crash prevents. */
    Machine outside() {
        return outside;
    }

    List<String> lines() {
        return trace;
    }

    int digest() {
        return digest;
    }

    void trace(String what) {
        String line = String.format("%10.3f ms %s", kernel.now() / 1e6, what);
        digest = 31 * digest + line.hashCode();
        trace.add(line);
    }

    /** Ends all faults. */
    void heal() {
        faulty = false;
        trace("all faults end");
    }

    boolean faulty() {
        return faulty;
    }

    /** Returns whether a fault of this kind happens at this step. */
    boolean strikes(Fault fault, double times) {
        if (!faulty || !setup.has(fault) || random().nextDouble() >= setup.rate() * times) {
            return false;
        }
        history.count("faults " + fault);
        return true;
    }

    /** Marks a step at which the process may die or stand still. */
    void step(String what) {
        kernel.check();
        Machine machine = kernel.machine();
        if (strikes(Fault.CRASH, 1)) {
            trace(machine + " dies: " + what);
            kernel.crash(machine);
        }
        if (strikes(Fault.FREEZE, 1)) {
            freeze(machine, what);
        }
    }

    void freeze(Machine machine, String what) {
        long nanos = random().nextLong(3 * setup.policy().lease().toNanos());
        trace(machine + " stands still for " + nanos / 1_000_000 + " ms: " + what);
        kernel.freeze(machine, nanos);
    }

    /** Returns a random duration of up to twice the usual one. */
    long about(Duration usual) {
        return random().nextLong(2 * usual.toNanos());
    }

    void pause(Duration usual) {
        kernel.sleep(about(usual));
    }
}
