package io.idem.consumer.internal.call;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.ReturnedType;
import io.idem.consumer.internal.delivery.Delivery;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encodes and decodes the values that a listener method returns. */
record ResultBytes(ResultCodec codec, ListenerDefinition listener, Delivery delivery) {

    private static final Logger LOG = LoggerFactory.getLogger(ResultBytes.class);

    /**
     * Encodes the method's value. Inside an inbox transaction a value that cannot be stored rolls the work back;
     * otherwise the work may be committed already, and only its answer to duplicates is given up.
     */
    StoredResult encode(@Nullable Object value) {
        if (value == null) {
            return StoredResult.NONE;
        }
        try {
            return codec.encode(value);
        } catch (ResultCodecException unfit) {
            if (listener.inbox() != null) {
                throw unfit;
            }
            LOG.warn(
                    "{} returned a value for {} that cannot be stored ({}); it counts as done and duplicates are answered with nothing",
                    ListenerConfigurationException.describe(listener.method()),
                    delivery,
                    unfit.getMessage());
            return StoredResult.OMITTED;
        }
    }

    /** Decodes a stored result; null if there is none, or if it cannot be read any more. */
    @Nullable Object decode(StoredResult result) {
        Type type = ReturnedType.of(listener.method());
        if (type == void.class || type == Void.class || result.equals(StoredResult.NONE)) {
            return null;
        }
        if (result.equals(StoredResult.OMITTED)) {
            LOG.warn(
                    "The result of {} for {} is not kept; the duplicate is acknowledged and answered with nothing",
                    ListenerConfigurationException.describe(listener.method()),
                    delivery);
            return null;
        }
        try {
            return codec.decode(result, type);
        } catch (ResultCodecException unfit) {
            LOG.warn(
                    "The stored result of {} for {} cannot be read ({}); the duplicate is acknowledged and answered with nothing",
                    ListenerConfigurationException.describe(listener.method()),
                    delivery,
                    unfit.getMessage());
            return null;
        }
    }
}
