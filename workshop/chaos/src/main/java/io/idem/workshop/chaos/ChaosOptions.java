package io.idem.workshop.chaos;

import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.Mix;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.StoreKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The options of a run.
 *
 * @param seed seed of every random choice
 * @param classes classes of faults, in the order of their phases
 * @param size size of each round
 * @param minutes minutes after which no further round starts; empty for the rounds of the size
 * @param flaw flaw built into the workers
 * @param publish whether the results become a page of the documentation
 * @param deliveryLimit delivery limit of RabbitMQ's queues
 * @param store store of the workers
 * @param output directory of reports and logs
 */
record ChaosOptions(
        long seed,
        List<FaultClass> classes,
        Size size,
        OptionalInt minutes,
        Flaw flaw,
        boolean publish,
        int deliveryLimit,
        StoreKind store,
        Path output) {

    /**
     * Delivery limit for brokers that count every return: the default of 20 dead-letters healthy messages after many
     * crashes.
     */
    private static final int MANY_DELIVERIES = 10_000;

    private static final Size SMALL = new Size(40, 2, true, 15, 4, 1);
    private static final Size FULL = new Size(1_000, 7, true, 50, 15, 4);

    /**
     * The amount of load and faults.
     *
     * @param messages minimum number of messages on each lane in each phase
     * @param faults number of faults in each phase; for a mixed round, that of a class of the usual weight
     * @param mixed whether classes are weighted
     * @param rate messages per second on each lane
     * @param thinRate messages per second on each lane while applications stop and start: the remaining ones manage no
     *     more on two processors
     * @param rounds number of rounds through all classes
     */
    record Size(int messages, int faults, boolean mixed, int rate, int thinRate, int rounds) {

        private Size at(int newRate) {
            return new Size(messages, faults, mixed, newRate, newRate, rounds);
        }

        private Size with(int newMessages, int newFaults, boolean newMixed) {
            return new Size(newMessages, newFaults, newMixed, rate, thinRate, rounds);
        }

        int rate(FaultClass faultClass) {
            return faultClass.takesApplicationsAway() ? thinRate : rate;
        }

        /** Returns the number of messages that the load sends in the time that a class at the usual rate takes. */
        int messages(FaultClass faultClass) {
            return (messages * rate(faultClass) + rate - 1) / rate;
        }

        int faults(FaultClass faultClass, StoreKind store) {
            return mixed ? Mix.faults(faultClass, faults, store) : faults;
        }
    }

    static ChaosOptions parse(String... arguments) {
        ChaosOptions options = small();
        for (Iterator<String> words = Arrays.asList(arguments).iterator(); words.hasNext(); ) {
            options = options.with(words.next(), words);
        }
        return options.forStore();
    }

    /** Returns a copy with all classes that concern the store, unless some were named, which must. */
    private ChaosOptions forStore() {
        if (!flaw.fits(store)) {
            throw new UsageException(
                    "flaw '" + flaw.id() + "' is one of Redis, and with --store " + store.id() + " there is none");
        }
        if (classes.isEmpty()) {
            return new ChaosOptions(
                    seed, FaultClass.of(store), size, minutes, flaw, publish, deliveryLimit, store, output);
        }
        classes.stream().filter(each -> !each.concerns(store)).findFirst().ifPresent(each -> {
            throw new UsageException("class '" + each.id() + "' strikes nothing with --store " + store.id() + ": "
                    + (store == StoreKind.INBOX ? "it has no Redis and no intake" : "it is one of the database"));
        });
        return this;
    }

    private static ChaosOptions small() {
        return new ChaosOptions(
                1,
                List.of(),
                SMALL,
                OptionalInt.empty(),
                Flaw.NONE,
                false,
                MANY_DELIVERIES,
                StoreKind.REDIS,
                Path.of("target", "chaos"));
    }

    /** Returns the number of messages on each lane in each phase of a class. */
    int messages(FaultClass faultClass) {
        return size.messages(faultClass);
    }

    /** Returns the messages per second on each lane in the phases of a class. */
    int rate(FaultClass faultClass) {
        return size.rate(faultClass);
    }

    /** Returns the number of faults in each phase of a class. */
    int faults(FaultClass faultClass) {
        return size.faults(faultClass, store);
    }

    /**
     * Returns settings that shorten waits in place if the delivery limit is small. With long waits no message would be
     * returned while its key is in progress.
     */
    Map<String, String> waits() {
        return deliveryLimit < MANY_DELIVERIES ? Map.of("idem.consumer.in-place-wait", "1s") : Map.of();
    }

    private ChaosOptions with(String option, Iterator<String> words) {
        return switch (option) {
            case "--small" -> sized(SMALL);
            case "--full" -> sized(FULL);
            case "--publish" ->
                new ChaosOptions(seed, classes, size, minutes, flaw, true, deliveryLimit, store, output);
            case "--messages" -> sized(size.with(count(option, words), size.faults, size.mixed));
            case "--faults" -> sized(size.with(size.messages, count(option, words), false));
            case "--rate" -> sized(size.at(count(option, words)));
            default -> withOther(option, words);
        };
    }

    private ChaosOptions withOther(String option, Iterator<String> words) {
        return switch (option) {
            case "--seed" ->
                new ChaosOptions(
                        number(option, words), classes, size, minutes, flaw, publish, deliveryLimit, store, output);
            case "--classes" ->
                new ChaosOptions(
                        seed,
                        parseClasses(value(option, words)),
                        size,
                        minutes,
                        flaw,
                        publish,
                        deliveryLimit,
                        store,
                        output);
            case "--minutes" ->
                new ChaosOptions(
                        seed,
                        classes,
                        size,
                        OptionalInt.of(count(option, words)),
                        flaw,
                        publish,
                        deliveryLimit,
                        store,
                        output);
            case "--flaw" ->
                new ChaosOptions(
                        seed,
                        classes,
                        size,
                        minutes,
                        constant(Flaw.class, value(option, words)),
                        publish,
                        deliveryLimit,
                        store,
                        output);
            case "--store" ->
                new ChaosOptions(
                        seed,
                        classes,
                        size,
                        minutes,
                        flaw,
                        publish,
                        deliveryLimit,
                        constant(StoreKind.class, value(option, words)),
                        output);
            case "--delivery-limit" ->
                new ChaosOptions(seed, classes, size, minutes, flaw, publish, count(option, words), store, output);
            default -> throw new UsageException("unknown option '" + option + "'");
        };
    }

    /** Returns a copy with one round, and with this many messages and faults in each phase of every class. */
    ChaosOptions sized(int messages, int faults, int rate) {
        return sized(new Size(messages, faults, false, rate, rate, 1));
    }

    private ChaosOptions sized(Size newSize) {
        return new ChaosOptions(seed, classes, newSize, minutes, flaw, publish, deliveryLimit, store, output);
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new UsageException(option + " needs a value");
        }
        return words.next();
    }

    private static int count(String option, Iterator<String> words) {
        return (int) number(option, words);
    }

    private static long number(String option, Iterator<String> words) {
        String value = value(option, words);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new UsageException(option + " is '" + value + "': use a number");
        }
    }

    private static List<FaultClass> parseClasses(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> constant(FaultClass.class, name))
                .toList();
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        try {
            return Enum.valueOf(type, name.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new UsageException("'" + name + "' is none of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant ->
                                    constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .toList());
        }
    }
}
