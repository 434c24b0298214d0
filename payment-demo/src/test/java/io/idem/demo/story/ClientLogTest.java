package io.idem.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientLogTest {

    @TempDir
    private Path directory;

    private static Exchange exchange(String body) {
        return new Exchange(
                Kind.PAYOUT, "south", "k", 7, 1, 2, 202, "", true, "application/json", "/v1/payouts/k", body);
    }

    @Test
    void whatIsReadBackIsWhatWasWrittenByteForByte() {
        Path file = directory.resolve("deep").resolve("clients.jsonl");
        Exchange strange = exchange("{\"text\":\"\u00e4\\n\u0000\u00ff\"}\n");
        try (ClientLog log = new ClientLog(file)) {
            log.add(exchange("a"));
            log.add(strange);

            assertThat(log.size()).isEqualTo(2);
        }

        assertThat(ClientLog.read(file)).containsExactly(exchange("a"), strange);
    }

    @Test
    void aNewLogReplacesTheOneOfAnEarlierRun() {
        Path file = directory.resolve("clients.jsonl");
        try (ClientLog log = new ClientLog(file)) {
            log.add(exchange("old"));
        }
        try (ClientLog log = new ClientLog(file)) {
            log.add(exchange("new"));
        }

        assertThat(ClientLog.read(file)).containsExactly(exchange("new"));
    }
}
