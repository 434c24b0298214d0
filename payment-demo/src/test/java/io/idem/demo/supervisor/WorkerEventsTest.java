package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerEventsTest {

    @TempDir
    private Path directory;

    private static WorkerEvent event(String worker, long fence) {
        return new WorkerEvent(worker, 1, What.GRANTED, "payments", "k", "FRESH", fence, 0);
    }

    private static void append(Path log, String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void eventsOfAllLogsAreReadAsTheyAreWrittenAndOnlyWholeLinesCount() throws IOException {
        Path first = directory.resolve("first.log");
        Path second = directory.resolve("second.log");
        List<WorkerEvent> heard = new CopyOnWriteArrayList<>();
        try (WorkerEvents events = new WorkerEvents(List.of(first, second))) {
            events.listen(heard::add);
            events.start();
            append(first, "Starting\n" + event("one", 1).line() + "\n");
            await().untilAsserted(() -> assertThat(events.all()).containsExactly(event("one", 1)));

            String cut = event("two", 2).line();
            append(second, cut.substring(0, 20));
            append(first, event("one", 3).line() + "\n");
            await().untilAsserted(() -> assertThat(events.all()).contains(event("one", 3)));
            append(second, cut.substring(20) + "\n");

            await().untilAsserted(
                            () -> assertThat(heard).containsExactly(event("one", 1), event("one", 3), event("two", 2)));
        }
    }
}
