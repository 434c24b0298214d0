package io.idem.workshop.simulation;

import io.idem.workshop.simulation.kernel.Fibers;
import io.idem.workshop.simulation.kernel.Report;
import io.idem.workshop.simulation.kernel.Scenario;
import io.idem.workshop.simulation.rewrite.SimulatedLoader;
import java.util.Map;

/** Plays seeds one after the other. */
public final class Simulator implements AutoCloseable {

    private final Fibers threads = new Fibers();
    private final Silence silence = new Silence();
    private final Scenario scenario;

    public Simulator() {
        try {
            this.scenario = (Scenario) new SimulatedLoader(Simulator.class.getClassLoader())
                    .loadClass("io.idem.workshop.simulation.world.Story")
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Plays one seed; {@code options} fix values that the seed would otherwise choose. */
    public Report play(long seed, Map<String, String> options) {
        try {
            return scenario.play(seed, options, threads);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        threads.close();
        silence.close();
    }
}
