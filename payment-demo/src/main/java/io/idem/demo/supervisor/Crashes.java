package io.idem.demo.supervisor;

import io.idem.demo.report.Kill;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Kills workers at the planned moments and starts them again. Each moment is used once. Thread-safe. */
final class Crashes implements AutoCloseable {

    private final List<CrashPoint> pending;
    private final Map<String, Worker> workers;
    private final Progress progress;
    private final List<Victim> victims = new ArrayList<>();
    private final ScheduledExecutorService executioner = Executors.newSingleThreadScheduledExecutor();

    private record Victim(String worker, long pid, String point) {}

    /** Creates the kills of {@code points}; {@code workers} are by name. */
    Crashes(List<CrashPoint> points, Map<String, Worker> workers, Progress progress) {
        this.pending = new ArrayList<>(points);
        this.workers = Map.copyOf(workers);
        this.progress = progress;
    }

    /** Handles an event of a worker. */
    synchronized void on(WorkerEvent event) {
        pending.stream().filter(point -> point.matches(event)).findFirst().ifPresent(point -> {
            pending.remove(point);
            var unused =
                    executioner.schedule(() -> kill(point, event), point.delay().toMillis(), TimeUnit.MILLISECONDS);
        });
    }

    private void kill(CrashPoint point, WorkerEvent event) {
        Worker worker = workers.get(event.worker());
        if (worker == null || worker.pid() != event.pid()) {
            missed(point);
            return;
        }
        worker.replace();
        synchronized (this) {
            victims.add(new Victim(event.worker(), event.pid(), point.name()));
        }
        progress.say("killed %s (process %d) %s", event.worker(), event.pid(), point.name());
    }

    /** Another kill came first. Work that was not committed comes again; the moment after a commit does not. */
    private synchronized void missed(CrashPoint point) {
        if (point.trigger() == What.GRANTED) {
            pending.add(point);
        }
    }

    /** Returns the number of kills so far. */
    synchronized int count() {
        return victims.size();
    }

    /** Returns whether all planned kills have happened. */
    synchronized boolean allDone() {
        return pending.isEmpty();
    }

    /** The kills, with what each victim held according to {@code events}. */
    synchronized List<Kill> kills(List<WorkerEvent> events) {
        return victims.stream()
                .map(victim -> new Kill(victim.worker(), victim.pid(), victim.point(), unsettled(victim.pid(), events)))
                .toList();
    }

    private static int unsettled(long pid, List<WorkerEvent> events) {
        return (int) (count(pid, What.GRANTED, events) - count(pid, What.SETTLED, events));
    }

    private static long count(long pid, What what, List<WorkerEvent> events) {
        return events.stream()
                .filter(event -> event.pid() == pid && event.what() == what)
                .count();
    }

    @Override
    public void close() {
        executioner.shutdownNow();
    }
}
