package io.idem.result;

import io.idem.ResultCodecException;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import io.idem.spi.ResultLoss;
import io.idem.spi.ResultPipeline.Handled;
import io.idem.spi.StoredResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts results with AES-256-GCM. Bound to their record: a result that is copied to another record does not decrypt there. Layout:
 * length of the key's id 1, the id, nonce 12, ciphertext with its tag of 16 bytes to the end.
 */
final class Encryption implements Layer {

    static final String CODEC = StoredResult.RESERVED_PREFIX + "aes-gcm";

    private static final Logger LOG = LoggerFactory.getLogger(Encryption.class);
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_SIZE = 12;
    private static final int TAG_BITS = 128;

    private final ResultKeyProvider keys;
    private final SecureRandom random = new SecureRandom();

    Encryption(ResultKeyProvider keys) {
        this.keys = keys;
    }

    @Override
    public String codec() {
        return CODEC;
    }

    @Override
    public StoredResult wrap(Lease lease, StoredResult result, Shortened shortened) {
        if (result.size() == 0) {
            return result;
        }
        ResultKey key = keys.current(lease.record());
        byte[] nonce = new byte[NONCE_SIZE];
        random.nextBytes(nonce);
        try {
            byte[] secret =
                    cipher(Cipher.ENCRYPT_MODE, key, nonce, lease.record()).doFinal(Frame.of(result));
            return StoredResult.of(CODEC, layout(key, nonce, secret));
        } catch (GeneralSecurityException unusable) {
            throw new ResultCodecException(
                    "A result cannot be encrypted with " + key + " (" + unusable.getMessage()
                            + "); AES-256-GCM needs a key of 256 bits that this JVM can use",
                    unusable);
        }
    }

    private static byte[] layout(ResultKey key, byte[] nonce, byte[] secret) {
        byte[] id = key.id().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + id.length + nonce.length + secret.length)
                .put((byte) id.length)
                .put(id)
                .put(nonce)
                .put(secret)
                .array();
    }

    @Override
    public Handled unwrap(RecordId record, StoredResult wrapped) {
        ByteBuffer in = ByteBuffer.wrap(wrapped.content());
        String id = Frame.text(in);
        Optional<ResultKey> key = find(record, id);
        if (key.isEmpty()) {
            LOG.warn(
                    "The result of {} was encrypted with key \"{}\", which is not there: duplicates are answered without it. If the key was"
                            + " not destroyed on purpose, configure it again",
                    record,
                    id);
            return Handled.without(ResultLoss.KEY_GONE, StoredResult.OMITTED);
        }
        return decrypted(record, wrapped, in, key.get());
    }

    private static Handled decrypted(RecordId record, StoredResult wrapped, ByteBuffer in, ResultKey key) {
        byte[] nonce = Frame.bytes(in, NONCE_SIZE);
        byte[] secret = Frame.bytes(in, in.remaining());
        try {
            return Handled.whole(
                    Frame.read(cipher(Cipher.DECRYPT_MODE, key, nonce, record).doFinal(secret)));
        } catch (GeneralSecurityException foreign) {
            LOG.error(
                    "The result of {} is not what was encrypted there with {}: it was changed or comes from another record",
                    record,
                    key,
                    foreign);
            return Handled.without(ResultLoss.UNREADABLE, wrapped);
        }
    }

    private Optional<ResultKey> find(RecordId record, String id) {
        try {
            return keys.find(record, id);
        } catch (RuntimeException away) {
            throw new StoreUnavailableException(
                    "The key \"" + id + "\" of the result of " + record + " cannot be fetched: " + away.getMessage(),
                    Execution.NOT_EXECUTED,
                    away);
        }
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
