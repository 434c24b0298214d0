package io.idem.workshop.chaos.load;

import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.outside.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that post messages at a steady rate on every lane, each under its own key. They repeat a post with the same
 * key until it is accepted, and some post once more after that. They go on until they are stopped. Thread-safe.
 */
public final class Load implements AutoCloseable {

    private static final int CLIENTS_OF_A_LANE = 4;
    private static final double ASKS_AGAIN = 0.1;
    private static final Duration PAUSE = Duration.ofMillis(150);
    private static final Duration GIVES_UP_AFTER = Duration.ofMinutes(5);

    private final Entrance entrance;
    private final ClientLog log;
    private final String prefix;
    private final long nanosBetween;
    private final long start = System.nanoTime();
    private final List<Traffic> traffic;
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile boolean stopping;

    private static final class Traffic {
        private final Lane lane;
        private final AtomicInteger next = new AtomicInteger();
        private final ConcurrentLinkedQueue<KeyStory> stories = new ConcurrentLinkedQueue<>();

        Traffic(Lane lane) {
            this.lane = lane;
        }
    }

    /**
     * Starts the clients.
     *
     * @param entrance takes the messages; stays open
     * @param lanes lanes of the messages
     * @param prefix start of every key; two parts with a dot between them
     * @param rate messages per second on each lane
     */
    public Load(Entrance entrance, List<Lane> lanes, ClientLog log, String prefix, int rate, long seed) {
        this.entrance = entrance;
        this.traffic = lanes.stream().map(Traffic::new).toList();
        this.log = log;
        this.prefix = prefix;
        this.nanosBetween = TimeUnit.SECONDS.toNanos(1) / rate;
        Random seeds = new Random(seed);
        for (Traffic lane : traffic) {
            for (int client = 0; client < CLIENTS_OF_A_LANE; client++) {
                Random random = new Random(seeds.nextLong());
                clients.add(CompletableFuture.runAsync(() -> run(lane, random), threads));
            }
        }
    }

    private void run(Traffic traffic, Random random) {
        while (!stopping) {
            int number = traffic.next.getAndIncrement();
            sleepUntil(start + number * nanosBetween);
            if (!stopping) {
                KeyStory story = new KeyStory(traffic.lane, prefix + "." + traffic.lane.id() + "." + number);
                traffic.stories.add(story);
                postUntilAccepted(story);
                if (random.nextDouble() < ASKS_AGAIN) {
                    post(story);
                }
            }
        }
    }

    private void sleepUntil(long due) {
        while (!stopping && System.nanoTime() - due < 0) {
            LockSupport.parkNanos(Math.min(due - System.nanoTime(), PAUSE.toNanos()));
        }
    }

    private void postUntilAccepted(KeyStory story) {
        long end = System.nanoTime() + GIVES_UP_AFTER.toNanos();
        while (!post(story) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private boolean post(KeyStory story) {
        story.posted();
        try {
            Reply reply = entrance.post(story.lane(), story.key());
            log.add(story, reply);
            if (reply.accepted()) {
                story.accepted(reply);
            }
            return reply.accepted();
        } catch (RuntimeException broken) {
            log.failed(story, broken);
            return false;
        }
    }

    /** Returns the number of messages on the lane with the fewest. */
    public int messages() {
        return traffic.stream().mapToInt(lane -> lane.stories.size()).min().orElse(0);
    }

    /** Returns the latest accepted keys of a lane; fewer than {@code number} if there are not enough. */
    public List<String> lastAccepted(Lane lane, int number) {
        List<String> accepted = stories().stream()
                .filter(story -> story.lane() == lane && story.accepted())
                .map(KeyStory::key)
                .toList();
        return accepted.subList(Math.max(0, accepted.size() - number), accepted.size());
    }

    /** Adds the promise of another publisher: a message that was published past the intake and confirmed. */
    public void adopt(Lane lane, String key) {
        KeyStory story = new KeyStory(lane, key);
        story.confirmed();
        traffic.stream().filter(candidate -> candidate.lane == lane).forEach(candidate -> candidate.stories.add(story));
    }

    /** Returns a key of this phase that no client uses. */
    public String freshKey(Lane lane, String name) {
        return prefix + "." + lane.id() + "." + name;
    }

    /** Ends the posting of new messages, and returns when every client has its answer or has given up. */
    public void stop() {
        stopping = true;
        clients.forEach(CompletableFuture::join);
    }

    /** Returns the answers to all clients. */
    public List<KeyStory> stories() {
        return traffic.stream().flatMap(lane -> lane.stories.stream()).toList();
    }

    @Override
    public void close() {
        stopping = true;
        threads.shutdownNow();
    }
}
