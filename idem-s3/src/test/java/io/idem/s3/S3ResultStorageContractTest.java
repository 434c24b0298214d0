package io.idem.s3;

import io.idem.result.ResultStorage;
import io.idem.test.contract.ResultStorageContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.services.s3.S3Client;

@Tag("servers")
class S3ResultStorageContractTest extends ResultStorageContract {

    private static S3Server server;
    private static S3Client client;

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

    @Override
    protected ResultStorage storage() {
        return new S3ResultStorage(client, S3Server.BUCKET, "contract/");
    }

    @Override
    protected ResultStorage unavailable() {
        return new S3ResultStorage(client, "no-such-bucket", "");
    }
}
