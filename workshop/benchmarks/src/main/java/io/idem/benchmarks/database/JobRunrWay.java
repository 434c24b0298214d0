package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * JobRunr on PostgreSQL as its documentation shows it: each message is a job under its own id, and a background server
 * runs the jobs with eight workers. Callers enqueue as long as fewer than {@value #BACKLOG} jobs wait.
 */
final class JobRunrWay implements Way {

    private static final int BACKLOG = 1_000;
    /** The shortest interval that a SQL database allows. */
    private static final Duration POLL = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final HikariDataSource pool;
    private final JobScheduler jobs;
    private final Semaphore waiting = new Semaphore(BACKLOG);
    private final AtomicLong done = new AtomicLong();
    private final List<Thread> enqueuers = new ArrayList<>();
    private volatile boolean enqueuing;

    JobRunrWay(WayDatabase database) {
        pool = database.pool();
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        BusinessRow.createTable(jdbc);
        Job job = new Job(jdbc, this::finished);
        jobs = JobRunr.configure()
                .useStorageProvider(SqlStorageProviderFactory.using(pool))
                .useJobActivator(new OnlyJob(job))
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL)
                        .andWorkerCount(CallerWay.CALLERS))
                .initialize()
                .getJobScheduler();
    }

    private void finished() {
        done.incrementAndGet();
        waiting.release();
    }

    /** Begins to enqueue, and waits until jobs run. */
    @Override
    public void prepare() throws InterruptedException {
        long before = done.get();
        enqueuing = true;
        for (int caller = 0; caller < CallerWay.CALLERS; caller++) {
            Thread enqueuer = new Thread(this::enqueue, "bench-enqueuer");
            enqueuer.start();
            enqueuers.add(enqueuer);
        }
        awaitMoreThan(before);
    }

    private void awaitMoreThan(long before) throws InterruptedException {
        long patience = System.nanoTime() + PATIENCE.toNanos();
        while (done.get() == before) {
            if (System.nanoTime() > patience) {
                throw new IllegalStateException("JobRunr ran no job within " + PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void enqueue() {
        try {
            while (enqueuing) {
                if (waiting.tryAcquire(1, TimeUnit.SECONDS)) {
                    UUID key = UUID.randomUUID();
                    jobs.<Job>enqueue(key, job -> job.run(key));
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run(long deadline) throws InterruptedException {
        long before = done.get();
        TimeUnit.NANOSECONDS.sleep(deadline - System.nanoTime());
        awaitMoreThan(before);
    }

    @Override
    public long handled() {
        return done.get();
    }

    /** Ends the enqueuing, and waits until all jobs have run. */
    @Override
    public void settle() throws InterruptedException {
        enqueuing = false;
        for (Thread enqueuer : enqueuers) {
            enqueuer.join();
        }
        enqueuers.clear();
        if (!waiting.tryAcquire(BACKLOG, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("Jobs were left after " + PATIENCE);
        }
        waiting.release(BACKLOG);
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of(pool);
    }

    @Override
    public void close() {
        JobRunr.destroy();
        pool.close();
    }

    /** The work of a job. */
    public static final class Job {

        private final JdbcTemplate jdbc;
        private final Runnable finished;

        Job(JdbcTemplate jdbc, Runnable finished) {
            this.jdbc = jdbc;
            this.finished = finished;
        }

        public void run(UUID key) {
            BusinessRow.insert(jdbc, key);
            finished.run();
        }
    }

    private record OnlyJob(Job job) implements JobActivator {

        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(job);
        }
    }
}
