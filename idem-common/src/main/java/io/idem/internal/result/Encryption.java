package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultCodecException;
import io.idem.ResultLoss;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.result.ResultKey;
import io.idem.result.ResultKeyProvider;
import io.idem.spi.ResultPipeline.Handled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts results with AES-256-GCM, bound to their record: a result that is copied to another record does not decrypt
 * there. Layout: length of the key's id 1, the id, nonce 12, ciphertext with its tag of 16 bytes to the end.
 */
record Encryption(ResultKeyProvider keys, SecureRandom random) implements Layer {

    static final String CODEC = StoredResult.RESERVED_PREFIX + "aes-gcm";

    private static final Logger LOG = LoggerFactory.getLogger(Encryption.class);
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_SIZE = 12;
    private static final int TAG_BITS = 128;

    @Override
    public StoredResult wrap(Lease lease, StoredResult result, Supplier<StoredResult> shortened) {
        if (result.equals(StoredResult.NONE) || result.equals(StoredResult.OMITTED)) {
            return result;
        }
        ResultKey key = keys.current(lease.record());
        byte[] nonce = new byte[NONCE_SIZE];
        random.nextBytes(nonce);
        try {
            byte[] secret =
                    cipher(Cipher.ENCRYPT_MODE, key, nonce, lease.record()).doFinal(Frame.of(result));
            return StoredResult.of(CODEC, Frame.of(key.id(), nonce, secret));
        } catch (GeneralSecurityException unusable) {
            throw new ResultCodecException(
                    "A result cannot be encrypted with " + key + " (" + unusable.getMessage()
                            + "); AES-256-GCM needs a key of 256 bits that this JVM can use",
                    unusable);
        }
    }

    @Override
    public Handled unwrap(RecordId record, StoredResult wrapped) {
        ByteBuffer in = ByteBuffer.wrap(wrapped.content());
        String id = Frame.text(in);
        Optional<ResultKey> key =
                Layer.fetched("The key \"" + id + "\" of the result of " + record, () -> keys.find(record, id));
        if (key.isEmpty()) {
            LOG.warn(
                    "The result of {} was encrypted with key \"{}\", which is not there: duplicates are answered without it. If the key was"
                            + " not destroyed on purpose, configure it again",
                    record,
                    id);
            return Handled.without(ResultLoss.KEY_GONE, StoredResult.OMITTED);
        }
        byte[] nonce = Frame.bytes(in, NONCE_SIZE);
        byte[] secret = Frame.bytes(in, in.remaining());
        return Stream.of(record, new RecordId(record.key().former(), record.scope()))
                .distinct()
                .flatMap(name -> decrypted(name, nonce, secret, key.get()).stream())
                .findFirst()
                .map(Handled::whole)
                .orElseGet(() -> foreign(record, wrapped, key.get()));
    }

    private static Optional<StoredResult> decrypted(RecordId record, byte[] nonce, byte[] secret, ResultKey key) {
        try {
            return Optional.of(
                    Frame.read(cipher(Cipher.DECRYPT_MODE, key, nonce, record).doFinal(secret)));
        } catch (GeneralSecurityException notEncryptedHere) {
            LOG.debug("Not encrypted for {} with {}", record, key, notEncryptedHere);
            return Optional.empty();
        }
    }

    private static Handled foreign(RecordId record, StoredResult wrapped, ResultKey key) {
        LOG.error(
                "The result of {} is not the one that was encrypted there with {}: it was changed or comes from another record",
                record,
                key);
        return Handled.without(ResultLoss.UNREADABLE, wrapped);
    }

    private static Cipher cipher(int mode, ResultKey key, byte[] nonce, RecordId record)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key.key(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((CODEC + "\n" + key.id() + "\n" + record.key().id() + "\n"
                        + record.scope().name())
                .getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }
}
