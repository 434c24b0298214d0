package io.idem.lincheck;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.util.ValueResult;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.LinearizabilityVerifier;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/** Runs a class whose methods are operations under interleavings that Lincheck chooses, one after the other. */
public final class Interleavings {

    private static final int SCENARIOS = 8;
    private static final int INTERLEAVINGS = 100;

    private Interleavings() {}

    /**
     * Fails if an interleaving of two threads leads to answers that no order of the same calls explains.
     *
     * @param operations has a public constructor without arguments and public methods annotated as operations
     */
    public static void check(Class<?> operations) {
        Set<String> unused = answers(operations);
    }

    /**
     * Does the same as {@link #check}, and returns all answers that the operations gave. Lincheck draws the same calls every
     * time.
     */
    public static Set<String> answers(Class<?> operations) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(SCENARIOS)
                .invocationsPerIteration(INTERLEAVINGS)
                .verifier(KeptAnswers.class)
                .check(operations);
        return Set.copyOf(KeptAnswers.of(operations));
    }

    /** Lincheck's usual look for an order, which keeps the answers that it has seen. */
    public static final class KeptAnswers implements Verifier {

        private static final Map<Class<?>, Set<String>> KEPT = new ConcurrentHashMap<>();

        private final Verifier orders;
        private final Set<String> kept;

        /** Is called by Lincheck. */
        public KeptAnswers(Class<?> operations) {
            this.orders = new LinearizabilityVerifier(operations);
            this.kept = of(operations);
        }

        static Set<String> of(Class<?> operations) {
            return KEPT.computeIfAbsent(operations, any -> ConcurrentHashMap.newKeySet());
        }

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            results.getThreadsResultsWithClock().forEach(thread -> thread.forEach(this::keep));
            return orders.verifyResults(scenario, results);
        }

        private void keep(ResultWithClock result) {
            if (result.getResult() instanceof ValueResult answer) {
                kept.add(String.valueOf(answer.getValue()));
            }
        }
    }
}
