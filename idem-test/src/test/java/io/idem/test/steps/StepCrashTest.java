package io.idem.test.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.RecordId;
import io.idem.RecordState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work of two steps in processes that are killed with SIGKILL at every place, under every rule of the steps. With an inbox,
 * its transaction is the last phase of the work, which writes to a ledger without a unique constraint. One process
 * works on many keys, so that one kill hits many attempts; a kill counts once for each key that it hits. Repeat a run with
 * {@code -Didem.steps.seed=…}; more kills than 300 on each store with {@code -Didem.steps.kills=…}.
 */
@Tag("servers")
class StepCrashTest {

    private static final Logger LOG = LoggerFactory.getLogger(StepCrashTest.class);
    private static final int COPIES = 8;
    private static final int MOST_FURTHER_KILLS = 2;
    private static final int KILLS = Integer.getInteger("idem.steps.kills", 300);
    private static final int KILLS_PER_BOUNDARY = KILLS / 10;

    private final long seed = Long.getLong("idem.steps.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Provider provider = new Provider();
    private final Map<String, String> keysOfSteps = new TreeMap<>();
    private final Map<Boundary, Integer> kills = new EnumMap<>(Boundary.class);
    private long lateAttempts;
    private int rejected;
    private int number;

    @AfterEach
    void stop() {
        provider.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "INBOX_ALONE"})
    void noKillAtAnyBoundaryRepeatsAStepThatIsRemembered(StepServer.Kind kind) {
        killAtEveryBoundary(kind);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "REDIS_AND_INBOX"})
    @Tag("extended")
    void noKillAtAnyBoundaryRepeatsAStepOnOtherStoresEither(StepServer.Kind kind) {
        killAtEveryBoundary(kind);
    }

    private void killAtEveryBoundary(StepServer.Kind kind) {
        try (StepServer server = kind.start()) {
            List<Piece> pieces = pieces(kind, 1, 0);

            killAndFinish(server, pieces);

            LOG.info("Steps on {}: seed {}, killed at {}", kind, seed, kills);
            assertThat(kills.keySet()).containsExactlyElementsOf(kind.boundaries());
        }
    }

    @ParameterizedTest
    @EnumSource(StepServer.Kind.class)
    @Tag("extended")
    void noneOfManyKillsRepeatsAStepThatIsRemembered(StepServer.Kind kind) {
        LOG.info("Steps on {}: seed {}", kind, seed);
        int processes = 0;
        try (StepServer server = kind.start()) {
            while (killsBeforeComplete() < KILLS || fewestKills(kind) < KILLS_PER_BOUNDARY) {
                processes += killAndFinish(server, pieces(kind, COPIES, MOST_FURTHER_KILLS));
            }
        }
        LOG.info(
                "Steps on {}: {} kills between grant and COMPLETE, by {} processes that were killed; {} attempts ended undecided; at"
                        + " {}",
                kind,
                killsBeforeComplete(),
                processes,
                lateAttempts,
                kills);
    }

    private int killsBeforeComplete() {
        return kills.entrySet().stream()
                .filter(entry -> entry.getKey().isBeforeComplete())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private int fewestKills(StepServer.Kind kind) {
        return kind.boundaries().stream()
                .mapToInt(boundary -> kills.getOrDefault(boundary, 0))
                .min()
                .orElseThrow();
    }

    /** Returns work for every place and rule, some of it with further places at which later attempts are stopped. */
    private List<Piece> pieces(StepServer.Kind kind, int copies, int mostFurther) {
        List<Stop> places = Stop.all(kind.boundaries());
        List<Piece> pieces = new ArrayList<>();
        for (int copy = 0; copy < copies; copy++) {
            for (Rule rule : Rule.values()) {
                for (Stop first : places) {
                    Queue<Stop> stops = new ArrayDeque<>(List.of(first));
                    int further = random.nextInt(mostFurther + 1);
                    for (int i = 0; i < further; i++) {
                        stops.add(places.get(random.nextInt(places.size())));
                    }
                    pieces.add(new Piece("k-" + number++, rule, stops));
                }
            }
        }
        return pieces;
    }

    /** Returns how many processes were killed before all of the work was settled. */
    private int killAndFinish(StepServer server, List<Piece> pieces) {
        List<Piece> open = pieces;
        int processes = 0;
        while (!open.isEmpty()) {
            open = afterKill(server, open);
            processes++;
        }
        pieces.forEach(piece -> check(server, piece));
        if (server.hasInbox()) {
            assertThat(server.rowsOfAttempts())
                    .as("rows of attempts; those of rejected work stay, for the attempt after a person")
                    .isEqualTo(rejected);
        }
        return processes - 1;
    }

    /** Lets a process work until each key is stopped or settled, kills it, and returns the work that was stopped. */
    private List<Piece> afterKill(StepServer server, List<Piece> pieces) {
        List<Assignment> assignments = pieces.stream()
                .map(piece -> new Assignment(
                        piece.key(),
                        piece.rule(),
                        Optional.ofNullable(piece.stops().peek())))
                .toList();
        List<Piece> stopped;
        try (StepWorker worker = StepWorker.start(provider, server, assignments)) {
            worker.awaitEach(pieces.stream().map(Piece::key).toList());
            stopped = pieces.stream()
                    .filter(piece -> worker.isStopped(piece.key()))
                    .toList();
            worker.kill9();
        }
        for (Piece piece : stopped) {
            Stop at = piece.stops().remove();
            provider.book(piece.key()).killed(at);
            kills.merge(at.boundary(), 1, Integer::sum);
        }
        return stopped;
    }

    private void check(StepServer server, Piece piece) {
        Book book = provider.book(piece.key());
        RecordId record = StepWorkerMain.record(piece.key());
        String what = piece + ": " + book;
        long late = book.deferred().stream()
                .filter(how -> !how.contains("StepException"))
                .count();
        boolean completed = server.state(record).equals(Optional.of(RecordState.COMPLETED));
        boolean maybeDone =
                book.kills().stream().anyMatch(kill -> kill.boundary().isInStep());

        assertThat(book.repeated()).as("repeated steps of %s", what).isEmpty();
        for (String step : List.of(Stop.FIRST_STEP, Stop.SECOND_STEP)) {
            checkStep(piece, step, late, completed);
        }
        if (piece.rule() == Rule.REJECT && maybeDone) {
            assertThat(server.state(record)).as(what).contains(RecordState.REJECTED);
        } else if (piece.rule() != Rule.REJECT || late == 0) {
            assertThat(server.state(record)).as(what).contains(RecordState.COMPLETED);
        }
        if (completed) {
            await("no steps are left of " + piece).pollDelay(Duration.ZERO).until(() -> server.hasNoSteps(record));
        }
        if (server.hasInbox()) {
            assertThat(server.ledger(piece.key()))
                    .as("local effects of %s", what)
                    .isEqualTo(completed ? List.of(both(book)) : List.of());
        }
        rejected += server.state(record).equals(Optional.of(RecordState.REJECTED)) ? 1 : 0;
        lateAttempts += late;
    }

    private static String both(Book book) {
        return String.join(" ", book.returned(Stop.FIRST_STEP)) + " "
                + String.join(" ", book.returned(Stop.SECOND_STEP));
    }

    private void checkStep(Piece piece, String step, long late, boolean completed) {
        Book book = provider.book(piece.key());
        String what = step + " of " + piece + ": " + book;
        int landings = book.landings(step);
        long kills = book.kills().stream()
                .filter(new Stop(Boundary.NOT_REMEMBERED, step)::equals)
                .count();

        assertThat(book.keys(step)).as("keys of %s", what).hasSizeLessThanOrEqualTo(1);
        assertThat(book.returned(step)).as("values of %s", what).hasSizeLessThanOrEqualTo(1);
        book.keys(step)
                .forEach(key -> assertThat(keysOfSteps.put(key, what))
                        .as("other step with the key of %s", what)
                        .isNull());
        long most = piece.rule() == Rule.RERUN ? 1 + kills + late : 1;
        assertThat((long) landings).as("landings of %s", what).isLessThanOrEqualTo(most);
        if (completed) {
            assertThat(landings).as("landings of %s", what).isPositive();
        }
    }

    /** Work under one key, with the places at which its attempts are stopped. */
    private record Piece(String key, Rule rule, Queue<Stop> stops) {

        @Override
        public String toString() {
            return key + " under the rule " + rule;
        }
    }
}
