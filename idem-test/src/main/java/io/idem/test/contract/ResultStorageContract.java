package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.result.ResultStorage;
import io.idem.result.ResultStorageException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules that every {@link ResultStorage} obeys. Extend this class and return the storage under test. */
public abstract class ResultStorageContract {

    private static final String NAME = "payments/ab/abcdefghijklmnopqrstuv.7-2000000000";
    private static final String LONGEST = "s".repeat(64) + "/ab/" + "k".repeat(121) + "-2000000000";

    /** Returns the storage under test, which may contain objects of other tests, but none that this contract names. */
    protected abstract ResultStorage storage();

    /** Returns a storage of the same kind that cannot be reached, or that refuses access. */
    protected abstract ResultStorage unavailable();

    @Test
    void anObjectComesBackByteForByte() {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);

        assertKept(NAME, content);
        storage().delete(NAME);
    }

    @Test
    void anObjectWithoutContentIsThere() {
        assertKept("payments/empty.1-2000000000", new byte[0]);
    }

    @Test
    void anObjectThatIsPutTwiceIsThereOnce() {
        storage().put("twice.1-2000000000", new byte[] {1});
        assertKept("twice.1-2000000000", new byte[] {1});

        storage().delete("twice.1-2000000000");

        assertThat(storage().get("twice.1-2000000000")).isEmpty();
    }

    @Test
    void anObjectThatWasNeverPutIsEmpty() {
        assertThat(storage().get("payments/ab/never.1-2000000000")).isEmpty();
    }

    @Test
    void aDeletedObjectIsEmptyAndMayBeDeletedAgain() {
        storage().put("deleted.1-2000000000", new byte[1]);
        storage().delete("deleted.1-2000000000");
        storage().delete("deleted.1-2000000000");

        assertThat(storage().get("deleted.1-2000000000")).isEmpty();
    }

    @Test
    void namesMayHaveTwoHundredCharacters() {
        assertThat(LONGEST).hasSize(200);

        assertKept(LONGEST, new byte[] {7});
        storage().delete(LONGEST);
    }

    @Test
    void namesThatDifferInCaseAreTwoObjects() {
        storage().put("case/a-2000000000", new byte[] {2});
        assertKept("case/A-2000000000", new byte[] {1});
        assertThat(storage().get("case/a-2000000000").orElseThrow()).containsExactly(2);
    }

    private void assertKept(String name, byte[] content) {
        storage().put(name, content);
        assertThat(storage().get(name).orElseThrow()).isEqualTo(content);
    }

    @Test
    void aReaderSeesAnObjectAsAWholeOrNotAtAll() {
        String name = "race/whole.1-2000000000";
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Void>> writers = IntStream.range(0, 20)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> storage().put(name, block(i)), threads))
                    .toList();
            while (!writers.stream().allMatch(CompletableFuture::isDone)) {
                storage().get(name).ifPresent(ResultStorageContract::assertWhole);
            }
            writers.forEach(CompletableFuture::join);
            assertWhole(storage().get(name).orElseThrow());
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
        assertThat(content).containsOnly(content[0]);
    }

    @Test
    void anUnavailableStorageThrowsAndNeverSaysThatAnObjectIsGone() {
        ResultStorage away = unavailable();

        assertThatThrownBy(() -> away.put(NAME, new byte[1])).isInstanceOf(ResultStorageException.class);
        assertThatThrownBy(() -> assertThat(away.get(NAME)).isEmpty()).isInstanceOf(ResultStorageException.class);
    }
}
