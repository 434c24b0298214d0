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
 * Keeps large results as objects of one bucket. Expired objects are not removed by idem: give the bucket a lifecycle
 * rule for the prefix whose age is longer than any retention. Thread-safe; blocks for as long as the client's calls and
 * their repetitions take. Does not close the client.
 *
 * @param client a client with the rights to read, write, delete and list: without the right to list, S3 answers
 *     "forbidden" for an object that does not exist, which looks like an unreachable storage
 * @param bucket the name of the bucket, which is not called before the first use
 * @param prefix the beginning of all names, for example {@code idem/}
 */
public record S3ResultStorage(S3Client client, String bucket, String prefix) implements ResultStorage {

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
