package io.idem.e2e.chaos;

import io.idem.e2e.chaos.fault.FaultClass;
import io.idem.e2e.chaos.worker.Flaw;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * What a run is to be.
 *
 * @param seed source of every choice
 * @param classes of faults, in the order of their phases
 * @param messages at least, on each lane in each phase
 * @param faults in each phase
 * @param rate messages per second on each lane
 * @param minutes phases are repeated until these have passed; empty for once
 * @param flaw to be built into the workers
 * @param output directory of reports and logs
 */
record ChaosOptions(
        long seed,
        List<FaultClass> classes,
        int messages,
        int faults,
        int rate,
        OptionalInt minutes,
        Flaw flaw,
        Path output) {

    private static final int SMALL_MESSAGES = 100;
    private static final int SMALL_FAULTS = 4;
    private static final int SMALL_RATE = 25;
    private static final int FULL_MESSAGES = 5_000;
    private static final int FULL_FAULTS = 40;
    private static final int FULL_RATE = 60;

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
                SMALL_MESSAGES,
                SMALL_FAULTS,
                SMALL_RATE,
                OptionalInt.empty(),
                Flaw.NONE,
                Path.of("target", "chaos"));
    }

    private ChaosOptions with(String option, Iterator<String> words) {
        return switch (option) {
            case "--small" -> sized(SMALL_MESSAGES, SMALL_FAULTS, SMALL_RATE);
            case "--full" -> sized(FULL_MESSAGES, FULL_FAULTS, FULL_RATE);
            case "--seed" ->
                new ChaosOptions(number(option, words), classes, messages, faults, rate, minutes, flaw, output);
            case "--classes" ->
                new ChaosOptions(
                        seed, parseClasses(value(option, words)), messages, faults, rate, minutes, flaw, output);
            case "--messages" -> sized((int) number(option, words), faults, rate);
            case "--faults" -> sized(messages, (int) number(option, words), rate);
            case "--rate" -> sized(messages, faults, (int) number(option, words));
            case "--minutes" ->
                new ChaosOptions(
                        seed,
                        classes,
                        messages,
                        faults,
                        rate,
                        OptionalInt.of((int) number(option, words)),
                        flaw,
                        output);
            case "--flaw" ->
                new ChaosOptions(
                        seed,
                        classes,
                        messages,
                        faults,
                        rate,
                        minutes,
                        constant(Flaw.class, value(option, words)),
                        output);
            default -> throw new UsageException("unknown option '" + option + "'");
        };
    }

    ChaosOptions sized(int newMessages, int newFaults, int newRate) {
        return new ChaosOptions(seed, classes, newMessages, newFaults, newRate, minutes, flaw, output);
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new UsageException(option + " needs a value");
        }
        return words.next();
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
