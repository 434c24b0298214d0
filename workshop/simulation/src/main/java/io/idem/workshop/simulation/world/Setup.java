package io.idem.workshop.simulation.world;

import io.idem.ExecutionPolicy;
import io.idem.workshop.simulation.flaw.Flaw;
import io.idem.workshop.simulation.flaw.InboxFlaw;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The parameters of one run, drawn from its seed unless the options set them.
 *
 * @param faults kinds of faults that happen
 * @param alone whether the inbox is the only store; then there is no intake
 * @param inbox whether work uses an inbox
 * @param broker kind of broker
 * @param intake whether requests come through an intake; else messages are published directly
 * @param countsReturns whether every return to the queue counts towards the delivery limit, as before RabbitMQ 4.3
 * @param publishesDeadLetters whether idem publishes dead letters; else the queue makes them
 * @param rate probability of a fault at a step
 * @param steps whether the work has steps, which work with an inbox cannot have
 * @param flaw deliberate defect of the library
 * @param inboxFlaw deliberate defect of an inbox that is the only store
 */
record Setup(
        Set<Fault> faults,
        boolean alone,
        boolean inbox,
        Broker broker,
        boolean intake,
        int workers,
        int threads,
        int prefetch,
        int keys,
        double copies,
        double failing,
        double slow,
        boolean poison,
        boolean countsReturns,
        boolean publishesDeadLetters,
        double rate,
        ExecutionPolicy policy,
        boolean steps,
        Flaw flaw,
        InboxFlaw inboxFlaw) {

    /** Maximum number of attempts, above the number that crashes alone can use up for a healthy key. */
    private static final String MOST_ATTEMPTS = "12";

    private static final double SHARE_WITHOUT_FAULTS = 0.15;

    /** The kind of broker. */
    enum Broker {
        QUEUE,
        LOG
    }

    static Setup draw(SplittableRandom random, Map<String, String> options) {
        Flaw flaw = Flaw.valueOf(options.getOrDefault("flaw", "NONE"));
        boolean alone = chosen(options, "alone", false);
        boolean inbox = chosen(options, "inbox", random.nextBoolean()) || alone;
        return new Setup(
                faults(random, alone),
                alone,
                inbox,
                Broker.valueOf(options.getOrDefault("broker", random.nextInt(3) == 0 ? "LOG" : "QUEUE")),
                (chosen(options, "intake", random.nextInt(3) == 0) || flaw.needsIntake()) && !alone,
                1 + random.nextInt(3),
                1 + random.nextInt(2),
                1 + random.nextInt(3),
                2 + random.nextInt(6),
                random.nextInt(3) * 0.35,
                random.nextInt(3) * 0.15,
                random.nextInt(3) * 0.3,
                random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextBoolean(),
                0.004 * (1 << random.nextInt(5)),
                policy(random, Integer.parseInt(options.getOrDefault("attempts", MOST_ATTEMPTS))),
                !inbox && flaw.allowsSteps() && random.nextBoolean(),
                flaw,
                InboxFlaw.valueOf(options.getOrDefault("inboxFlaw", "NONE")));
    }

    private static boolean chosen(Map<String, String> options, String name, boolean drawn) {
        return options.containsKey(name) ? Boolean.parseBoolean(options.get(name)) : drawn;
    }

    private static Set<Fault> faults(SplittableRandom random, boolean alone) {
        Set<Fault> drawn = EnumSet.noneOf(Fault.class);
        if (random.nextDouble() < SHARE_WITHOUT_FAULTS) {
            return drawn;
        }
        for (Fault fault : Fault.values()) {
            if (fault.happens(alone) && random.nextInt(3) == 0) {
                drawn.add(fault);
            }
        }
        return drawn;
    }

    private static ExecutionPolicy policy(SplittableRandom random, int attempts) {
        Duration lease = Duration.ofSeconds(2L + random.nextInt(5));
        return ExecutionPolicy.of(lease, Duration.ofHours(24)).withMaxAttempts(attempts);
    }

    /** Returns a description that is the same in every run of a seed. */
    String told() {
        return "faults " + faults + (alone ? " alone" : "") + (inbox ? " inbox" : "")
                + " " + broker
                + (intake ? " intake" : "") + " workers " + workers + " threads " + threads + " prefetch " + prefetch
                + " keys " + keys + " copies " + copies + " failing " + failing + " slow " + slow
                + (poison ? " poison" : "") + (steps ? " steps" : "") + (countsReturns ? " counts returns" : "")
                + " rate " + rate + " lease "
                + policy.lease() + " flaw " + flaw + " " + inboxFlaw;
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }
}
