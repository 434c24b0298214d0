package io.idem.demo.supervisor;

import io.idem.demo.report.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * The options of the command line.
 *
 * @param verify whether to end after the report instead of staying up
 * @param payments how many payments the clients make
 * @param seed from which the plan follows
 * @param port of HTTP, if one was asked for
 * @param page whether only the page is wanted, without the story
 * @param pagePort of the page, if one was asked for
 * @param external whether to use servers that others started
 * @param store where idem keeps its records
 * @param inbox whether the inbox protects payments; without it Redis alone does
 * @param help whether only the usage was asked for
 */
public record DemoOptions(
        boolean verify,
        int payments,
        long seed,
        OptionalInt port,
        boolean page,
        OptionalInt pagePort,
        boolean external,
        Store store,
        boolean inbox,
        boolean help) {

    /** The default number of payments. */
    public static final int DEFAULT_PAYMENTS = 200;

    private static final int MOST_PAYMENTS = 100_000;
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Reads the command line.
     *
     * @param randomSeed asked for a seed if none is given
     * @throws UsageException names the option and what is wrong with it
     */
    public static DemoOptions parse(List<String> arguments, LongSupplier randomSeed) {
        Parser parser = new Parser(arguments);
        while (parser.more()) {
            parser.option();
        }
        parser.check();
        return new DemoOptions(
                parser.verify,
                parser.payments,
                parser.seeded ? parser.seed : randomSeed.getAsLong(),
                parser.port,
                parser.page,
                parser.pagePort,
                parser.external,
                parser.store,
                parser.inbox,
                parser.help);
    }

    private static final class Parser {

        private final Deque<String> rest;
        private boolean verify;
        private int payments = DEFAULT_PAYMENTS;
        private boolean seeded;
        private long seed;
        private OptionalInt port = OptionalInt.empty();
        private boolean page;
        private OptionalInt pagePort = OptionalInt.empty();
        private boolean external;
        private Store store = Store.REDIS;
        private boolean inbox = true;
        private boolean help;

        Parser(List<String> arguments) {
            this.rest = new ArrayDeque<>(arguments);
        }

        boolean more() {
            return !rest.isEmpty();
        }

        void option() {
            String option = rest.pop();
            switch (option) {
                case "--verify" -> verify = true;
                case "--page" -> page = true;
                case "--external" -> external = true;
                case "--store" -> store = store(option);
                case "--no-inbox" -> inbox = false;
                case "--help" -> help = true;
                case "--payments" -> payments = (int) number(option, 1, MOST_PAYMENTS);
                case "--port" -> port = OptionalInt.of((int) number(option, 1, HIGHEST_PORT));
                case "--page-port" -> pagePort = OptionalInt.of((int) number(option, 1, HIGHEST_PORT));
                case "--seed" -> {
                    seed = number(option, Long.MIN_VALUE, Long.MAX_VALUE);
                    seeded = true;
                }
                default -> throw new UsageException("unknown option '" + option + "'");
            }
        }

        void check() {
            if (verify && page) {
                throw new UsageException("--verify does not stay up, so there is no --page to look at");
            }
            if (store == Store.INBOX && !inbox) {
                throw new UsageException("--store inbox leaves everything to the inbox, so --no-inbox leaves nothing");
            }
        }

        private Store store(String option) {
            String name = rest.isEmpty() ? "" : rest.pop();
            return switch (name) {
                case "redis" -> Store.REDIS;
                case "inbox" -> Store.INBOX;
                case "" -> throw new UsageException(option + " needs a name: redis or inbox");
                default -> throw new UsageException(option + " must be redis or inbox, not '" + name + "'");
            };
        }

        private long number(String option, long least, long most) {
            if (rest.isEmpty()) {
                throw new UsageException(option + " needs a number");
            }
            String text = rest.pop();
            try {
                long number = Long.parseLong(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                throw new UsageException(option + " needs a whole number, not '" + text + "'", notANumber);
            }
            throw new UsageException(option + " must be from " + least + " to " + most + ", not " + text);
        }
    }
}
