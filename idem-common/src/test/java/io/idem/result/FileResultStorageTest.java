package io.idem.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.internal.result.FileCleanUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileResultStorageTest {

    private static final Instant NOW = Instant.ofEpochSecond(2_000_000_000);
    private static final String NAME = "payments/ab/abcdefghijklmnopqrstuv.7-2000000000";

    @TempDir
    private Path directory;

    private FileResultStorage storage;

    @BeforeEach
    void open() {
        storage = new FileResultStorage(directory.resolve("results"));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void whatWasPutIsThereAndNothingBesideIt() throws IOException {
        storage.put(NAME, new byte[] {1, 2, 3});

        assertThat(storage.get(NAME))
                .hasValueSatisfying(content -> assertThat(content).containsExactly(1, 2, 3));
        assertThat(files()).hasSize(1);
    }

    @Test
    void whatWasDeletedOrNeverPutIsNotThere() {
        storage.put(NAME, new byte[1]);
        storage.delete(NAME);
        storage.delete(NAME);

        assertThat(storage.get(NAME)).isEmpty();
    }

    @Test
    void onlyTheOwnerSeesTheDirectory() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("results"))))
                .isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../x-1",
                "payments/../../x-1",
                "/etc/passwd",
                "a//b",
                "a/./b",
                "a\\b",
                "",
                "a/.tmp-1",
                "a\u0000b"
            })
    void aNameThatLeavesTheDirectoryIsRefused(String name) throws IOException {
        Files.writeString(directory.resolve("x-1"), "not idem's");

        assertThatThrownBy(() -> storage.get(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> storage.put(name, new byte[1])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> storage.delete(name)).isInstanceOf(IllegalArgumentException.class);
        assertThat(directory.resolve("x-1")).hasContent("not idem's");
    }

    @Test
    void aReaderSeesAFileAsAWholeOrNotAtAll() {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Void>> writers = IntStream.range(0, 40)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> storage.put(NAME, block(i)), threads))
                    .toList();
            while (!writers.stream().allMatch(CompletableFuture::isDone)) {
                storage.get(NAME).ifPresent(FileResultStorageTest::assertWhole);
            }
            writers.forEach(CompletableFuture::join);
            assertWhole(storage.get(NAME).orElseThrow());
        } finally {
            threads.shutdownNow();
        }
    }

    private static byte[] block(int value) {
        byte[] block = new byte[64 << 10];
        Arrays.fill(block, (byte) value);
        return block;
    }

    private static void assertWhole(byte[] content) {
        assertThat(content).hasSize(64 << 10);
        assertThat(content[content.length - 1]).isEqualTo(content[0]);
    }

    @Test
    void expiredFilesAndLeftOversGoAndOthersStay() throws IOException {
        storage.put(NAME, new byte[1]);
        storage.put("payments/ab/later.8-2000000001", new byte[1]);
        Path leftOver = directory.resolve("results/payments/ab/.tmp-1");
        Path beingWritten = directory.resolve("results/payments/ab/.tmp-2");
        Path foreign = directory.resolve("results/README");
        for (Path file : List.of(leftOver, beingWritten, foreign)) {
            Files.write(file, new byte[1]);
            Files.setLastModifiedTime(file, FileTime.from(NOW));
        }
        Files.setLastModifiedTime(leftOver, FileTime.from(NOW.minus(Duration.ofHours(2))));

        assertThat(storage.removeExpired(NOW)).isEqualTo(1);
        assertThat(storage.removeExpired(NOW.plusSeconds(1))).isEqualTo(1);

        assertThat(files())
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder(".tmp-2", "README", "later.8-2000000001");
    }

    @Test
    void theCleanUpRunsByItself() {
        String longAgo = "payments/ab/long-ago.7-1000000000";
        storage.put(longAgo, new byte[1]);

        try (FileCleanUp running = new FileCleanUp(storage, Duration.ofMillis(20), InstantSource.system())) {
            Awaitility.await().untilAsserted(() -> assertThat(files()).isEmpty());
            storage.put(longAgo, new byte[1]);
            Awaitility.await().untilAsserted(() -> assertThat(files()).isEmpty());
        }
    }

    @Test
    void aDirectoryThatIsGoneIsNotTakenForResultsThatAreGone() throws IOException {
        Files.delete(directory.resolve("results"));

        assertThatThrownBy(() -> storage.get(NAME))
                .isInstanceOf(ResultStorageException.class)
                .hasMessageContaining("idem.result.offload.directory");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsRefusedAtOnce() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> new FileResultStorage(file.resolve("below")))
                .isInstanceOf(ResultStorageException.class)
                .hasMessageContaining("idem.result.offload.directory");
    }
}
