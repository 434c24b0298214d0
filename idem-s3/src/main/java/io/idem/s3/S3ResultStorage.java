package io.idem.s3;

import io.idem.result.ResultStorage;
import io.idem.result.ResultStorageException;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * Large results as objects of one bucket. Expired objects are not removed by idem: give the bucket a lifecycle rule for the prefix whose age
 * is longer than any retention. Thread-safe; blocks for as long as the client may, its repetitions included. The client is not closed.
 */
public final class S3ResultStorage implements ResultStorage {

    private final S3Client client;
    private final String bucket;
    private final String prefix;

    /**
     * A storage; nothing is asked of the bucket yet.
     *
     * @param client may read, write, delete and list in the bucket: without the right to list, S3 answers "forbidden" for
     *     an object that is not there, which looks like a storage that is away
     * @param prefix in front of all names, for example {@code idem/}
     */
    public S3ResultStorage(S3Client client, String bucket, String prefix) {
        this.client = client;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    @Override
    public void put(String name, byte[] content) {
        var unused = asked(
                "be written to",
                () -> client.putObject(
                        request -> request.bucket(bucket).key(prefix + name).contentType("application/octet-stream"),
                        RequestBody.fromBytes(content)));
    }

    @Override
    public Optional<byte[]> get(String name) {
        return asked("be read", () -> {
            try {
                return Optional.of(client.getObjectAsBytes(
                                request -> request.bucket(bucket).key(prefix + name))
                        .asByteArray());
            } catch (NoSuchKeyException gone) {
                return Optional.empty();
            }
        });
    }

    @Override
    public void delete(String name) {
        var unused = asked(
                "be changed",
                () -> client.deleteObject(request -> request.bucket(bucket).key(prefix + name)));
    }

    private <A> A asked(String what, Supplier<A> call) {
        try {
            return call.get();
        } catch (SdkException refused) {
            throw new ResultStorageException(
                    "Bucket \"" + bucket + "\" (idem.result.offload.s3.bucket) cannot " + what + ": "
                            + refused.getMessage(),
                    refused);
        }
    }
}
