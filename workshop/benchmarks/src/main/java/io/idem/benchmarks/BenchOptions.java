package io.idem.benchmarks;

import io.idem.benchmarks.database.PairPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;

/** The options of a run: the parts that it measures, how often and how long. */
final class BenchOptions {

    private static final Set<String> SUITES = Set.of(
            "engine",
            "cost",
            "size",
            "growth",
            "memory",
            "profile",
            "http",
            "kafka",
            "rabbit",
            "kafka-inbox",
            "rabbit-inbox",
            "inbox",
            "inbox-alone",
            "postgresql",
            "zookeeper",
            "steps",
            "inbox-growth",
            "outbox",
            "intake",
            "peers");
    private static final int FULL_RECORDS = 5_000_000;
    private static final int QUICK_RECORDS = 500_000;
    private static final int FULL_INBOX_ROWS = 20_000_000;
    private static final int QUICK_INBOX_ROWS = 200_000;
    private static final int FULL_MILLISECONDS = 1_000;
    private static final int QUICK_MILLISECONDS = 400;
    /**
     * The warm-up: one caller makes 4,000 pairs a second, and the compiler waits for ten thousand calls of a method.
     */
    private static final int FULL_WARM_UP_SECONDS = 7;

    private static final int QUICK_WARM_UP_SECONDS = 1;
    /** Cold code cost ways with Redis a third of their rate. */
    private static final PairPlan FULL_PAIRS = PairPlan.of(Duration.ofSeconds(16), 20);

    private static final PairPlan QUICK_PAIRS = PairPlan.of(Duration.ofSeconds(2), 4);

    private int rounds = 5;
    private int records = FULL_RECORDS;
    private int inboxRows = FULL_INBOX_ROWS;
    private int milliseconds = FULL_MILLISECONDS;
    private int warmUpSeconds = FULL_WARM_UP_SECONDS;
    private PairPlan pairs = FULL_PAIRS;
    private int seed = (int) (System.nanoTime() & Integer.MAX_VALUE);
    private Set<String> only = SUITES;
    private Path output = Path.of("workshop", "benchmarks", "target", "bench");
    private Optional<String> newestJava = Optional.empty();
    private Optional<Path> publication = Optional.empty();

    private BenchOptions() {}

    /** @throws UsageException names the word and what it should be */
    static BenchOptions parse(String... words) {
        BenchOptions options = new BenchOptions();
        for (int index = 0; index < words.length; index++) {
            if ("--quick".equals(words[index])) {
                options.quick();
            } else {
                options.set(words[index], index + 1 < words.length ? words[++index] : "");
            }
        }
        return options;
    }

    private void quick() {
        rounds = 1;
        records = QUICK_RECORDS;
        inboxRows = QUICK_INBOX_ROWS;
        milliseconds = QUICK_MILLISECONDS;
        warmUpSeconds = QUICK_WARM_UP_SECONDS;
        pairs = QUICK_PAIRS;
    }

    private void set(String option, String value) {
        switch (option) {
            case "--rounds" -> number(option, value, number -> rounds = number);
            case "--records" -> number(option, value, number -> records = number);
            case "--inbox-rows" -> number(option, value, number -> inboxRows = number);
            case "--seed" -> number(option, value, number -> seed = number);
            case "--only" -> only = suites(value);
            case "--publish" -> publication = Optional.of(Path.of(value));
            case "--output" -> output = Path.of(value);
            case "--newest-java" -> newestJava = Optional.of(value).filter(text -> !text.isEmpty());
            default -> throw new UsageException("unknown option '" + option + "'; see workshop/bench --help");
        }
    }

    private static void number(String option, String value, IntConsumer setter) {
        try {
            int number = Integer.parseInt(value);
            if (number < 1) {
                throw new UsageException(option + " needs a number of at least 1, not '" + value + "'");
            }
            setter.accept(number);
        } catch (NumberFormatException none) {
            throw new UsageException(option + " needs a number, not '" + value + "'");
        }
    }

    private static Set<String> suites(String value) {
        Set<String> wanted = Set.copyOf(Arrays.asList(value.split(",")));
        wanted.stream().filter(name -> !SUITES.contains(name)).findFirst().ifPresent(name -> {
            throw new UsageException("--only does not know '" + name + "'; it knows " + String.join(", ", SUITES));
        });
        return wanted;
    }

    int rounds() {
        return rounds;
    }

    int records() {
        return records;
    }

    int inboxRows() {
        return inboxRows;
    }

    int warmUpSeconds() {
        return warmUpSeconds;
    }

    int milliseconds() {
        return milliseconds;
    }

    PairPlan pairs() {
        return pairs;
    }

    int seed() {
        return seed;
    }

    boolean wants(String suite) {
        return only.contains(suite);
    }

    Path output() {
        return output;
    }

    Optional<Path> publication() {
        return publication;
    }

    Optional<String> newestJava() {
        return newestJava;
    }
}
