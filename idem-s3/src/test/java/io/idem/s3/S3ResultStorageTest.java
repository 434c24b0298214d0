package io.idem.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.result.ResultStorageException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

@Tag("servers")
class S3ResultStorageTest {

    private static final String NAME = "payments/ab/abcdefghijklmnopqrstuv.7-2000000000";

    private static S3Server server;
    private static S3Client client;

    private S3ResultStorage storage;

    @BeforeAll
    static void start() throws Exception {
        server = new S3Server();
        client = server.client(S3Server.SECRET_KEY);
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
    }

    @BeforeEach
    void open() {
        storage = new S3ResultStorage(client, S3Server.BUCKET, "idem/");
    }

    @Test
    void whatWasPutComesBackByteForByteUnderThePrefix() {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);

        storage.put(NAME, content);

        assertThat(storage.get(NAME).orElseThrow()).isEqualTo(content);
        assertThat(client.listObjectsV2(request -> request.bucket(S3Server.BUCKET))
                        .contents())
                .extracting(S3Object::key)
                .contains("idem/" + NAME);
    }

    @Test
    void puttingTwiceIsPuttingOnce() {
        storage.put("twice-1", new byte[] {1});
        storage.put("twice-1", new byte[] {1});

        assertThat(storage.get("twice-1").orElseThrow()).containsExactly(1);
    }

    @Test
    void whatWasDeletedOrNeverPutIsNotThere() {
        storage.put("deleted-1", new byte[1]);
        storage.delete("deleted-1");
        storage.delete("deleted-1");

        assertThat(storage.get("deleted-1")).isEmpty();
        assertThat(storage.get("never-1")).isEmpty();
    }

    @Test
    void aBucketThatIsNotThereIsNotTakenForAnObjectThatIsGone() {
        S3ResultStorage elsewhere = new S3ResultStorage(client, "no-such-bucket", "");

        assertThatThrownBy(() -> elsewhere.get(NAME))
                .isInstanceOf(ResultStorageException.class)
                .hasMessageContainingAll("no-such-bucket", "idem.result.offload.s3.bucket");
        assertThatThrownBy(() -> elsewhere.put(NAME, new byte[1])).isInstanceOf(ResultStorageException.class);
    }

    @Test
    void wrongCredentialsAreNotTakenForAnObjectThatIsGone() {
        try (S3Client stranger = server.client("guessed")) {
            S3ResultStorage refused = new S3ResultStorage(stranger, S3Server.BUCKET, "idem/");

            assertThatThrownBy(() -> refused.get(NAME)).isInstanceOf(ResultStorageException.class);
            assertThatThrownBy(() -> refused.put(NAME, new byte[1])).isInstanceOf(ResultStorageException.class);
        }
    }
}
