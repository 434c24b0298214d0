package io.idem.demo.supervisor;

import io.idem.demo.report.Store;
import io.idem.demo.report.WorkerFigures;
import io.idem.demo.story.ClientLog;
import io.idem.demo.story.Story;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Prints the progress of the clients every few seconds. */
final class StoryTicker implements AutoCloseable {

    private static final int SECONDS = 3;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    StoryTicker(Story story, ClientLog log, WorkerEvents events, Store store, Progress progress) {
        var unused = timer.scheduleAtFixedRate(
                () -> {
                    WorkerFigures workers = WorkerFigures.of(events.all(), store);
                    progress.say(
                            "%5d operations done, %5d requests, %5d messages, %d %s",
                            story.done(),
                            log.size(),
                            workers.messages(),
                            workers.afterDeaths(store),
                            store.afterDeaths());
                },
                SECONDS,
                SECONDS,
                TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
