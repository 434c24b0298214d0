package io.idem.workshop.chaos;

import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.Mix;
import io.idem.workshop.chaos.worker.Flaw;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a run is to be.
 *
 * @param seed source of every choice
 * @param classes of faults, in the order of their phases
 * @param size of each round
 * @param minutes rounds are repeated until these have passed; empty for as many as the size says
 * @param flaw to be built into the workers
 * @param publish whether the results become a page of the documentation
 * @param deliveryLimit of RabbitMQ's queues
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
        Path output) {

    /** A broker that counts every return would dead-letter the innocent ones of many crashes at its default of 20. */
    private static final int MANY_DELIVERIES = 10_000;

    private static final Size SMALL = new Size(40, 2, true, 15, 15, 1);
    private static final Size FULL = new Size(1_000, 7, true, 50, 15, 4);

    /**
     * How much.
     *
     * @param messages at least, on each lane in each phase
     * @param faults in each phase; of a class of the usual weight if they are mixed
     * @param mixed whether classes have a weight
     * @param rate messages per second on each lane
     * @param thinRate the same while applications go and come: those that are left, on two processors, manage no more
     * @param rounds through all classes
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

        /** As many as the load makes in the time that a class with the usual rate takes. */
        int messages(FaultClass faultClass) {
            return (messages * rate(faultClass) + rate - 1) / rate;
        }

        int faults(FaultClass faultClass) {
            return mixed ? Mix.faults(faultClass, faults) : faults;
        }
    }

    static ChaosOptions parse(String... arguments) {
        ChaosOptions options = small();
        for (Iterator<String> words = Arrays.asList(arguments).iterator(); words.hasNext(); ) {
            options = options.with(words.next(), words);
        }
        return options;
    }

    private static ChaosOptions small() {
        return new ChaosOptions(
                1,
                List.of(FaultClass.values()),
                SMALL,
                OptionalInt.empty(),
                Flaw.NONE,
                false,
                MANY_DELIVERIES,
                Path.of("target", "chaos"));
    }

    /** On each lane in each phase of a class. */
    int messages(FaultClass faultClass) {
        return size.messages(faultClass);
    }

    /** Messages per second on each lane in phases of a class. */
    int rate(FaultClass faultClass) {
        return size.rate(faultClass);
    }

    /** So many of a class in each of its phases. */
    int faults(FaultClass faultClass) {
        return size.faults(faultClass);
    }

    /** With a small limit, waits in place are short: nothing would be returned otherwise while somebody is busy. */
    Map<String, String> waits() {
        return deliveryLimit < MANY_DELIVERIES ? Map.of("idem.consumer.in-place-wait", "1s") : Map.of();
    }

    private ChaosOptions with(String option, Iterator<String> words) {
        return switch (option) {
            case "--small" -> sized(SMALL);
            case "--full" -> sized(FULL);
            case "--publish" -> new ChaosOptions(seed, classes, size, minutes, flaw, true, deliveryLimit, output);
            case "--messages" -> sized(size.with(count(option, words), size.faults, size.mixed));
            case "--faults" -> sized(size.with(size.messages, count(option, words), false));
            case "--rate" -> sized(size.at(count(option, words)));
            default -> withOther(option, words);
        };
    }

    private ChaosOptions withOther(String option, Iterator<String> words) {
        return switch (option) {
            case "--seed" ->
                new ChaosOptions(number(option, words), classes, size, minutes, flaw, publish, deliveryLimit, output);
            case "--classes" ->
                new ChaosOptions(
                        seed, parseClasses(value(option, words)), size, minutes, flaw, publish, deliveryLimit, output);
            case "--minutes" ->
                new ChaosOptions(
                        seed,
                        classes,
                        size,
                        OptionalInt.of(count(option, words)),
                        flaw,
                        publish,
                        deliveryLimit,
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
                        output);
            case "--delivery-limit" ->
                new ChaosOptions(seed, classes, size, minutes, flaw, publish, count(option, words), output);
            default -> throw new UsageException("unknown option '" + option + "'");
        };
    }

    /** The same with so many messages and faults in each phase of one round, whatever the class. */
    ChaosOptions sized(int messages, int faults, int rate) {
        return sized(new Size(messages, faults, false, rate, rate, 1));
    }

    private ChaosOptions sized(Size newSize) {
        return new ChaosOptions(seed, classes, newSize, minutes, flaw, publish, deliveryLimit, output);
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
