package io.idem.consumer.internal.kafka.batch;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.kafka.support.converter.ConversionException;
import org.springframework.kafka.support.serializer.SerializationUtils;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/**
 * Records that a converter or an {@code ErrorHandlingDeserializer} could not read. spring-kafka hands a batch listener
 * null in their place, and says so only in headers of the record and of the batch.
 */
final class ConversionFailures {

    private static final LogAccessor LOG = new LogAccessor(ConversionFailures.class);

    /** Headers of a batch by which a listener can recognize such records. */
    private static final Set<String> TELLING = Set.of(
            KafkaHeaders.CONVERSION_FAILURES,
            KafkaHeaders.RAW_DATA,
            KafkaHeaders.BATCH_CONVERTED_HEADERS,
            KafkaHeaders.NATIVE_HEADERS);

    private ConversionFailures() {}

    /**
     * Returns whether the key or the value of a record could not be read. Headers that the record had before do not
     * count.
     */
    static boolean concern(ConsumerRecord<?, ?> record) {
        return isNoted(record, KafkaUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER)
                || isNoted(record, KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER);
    }

    private static boolean isNoted(ConsumerRecord<?, ?> record, String header) {
        return record.headers().lastHeader(header) != null
                && SerializationUtils.getExceptionFromHeader(record, header, LOG) != null;
    }

    /** Returns the record that a converter names in its exception; null if none did. */
    static @Nullable ConsumerRecord<?, ?> of(Throwable failure) {
        @Nullable ConsumerRecord<?, ?> named = null;
        for (Throwable cause = failure; cause != null && named == null; cause = cause.getCause()) {
            named = cause instanceof ConversionException conversion ? conversion.getRecord() : null;
        }
        return named;
    }

    /**
     * Returns whether a batch listener gets a list of payloads and no headers, by which it could recognize such
     * records.
     */
    static boolean areHiddenFrom(Method listener) {
        return Arrays.stream(listener.getParameters()).noneMatch(ConversionFailures::tells)
                && Arrays.stream(listener.getGenericParameterTypes()).noneMatch(ConversionFailures::isOfWholeRecords);
    }

    private static boolean tells(Parameter parameter) {
        Header header = AnnotatedElementUtils.findMergedAnnotation(parameter, Header.class);
        return (header != null && TELLING.contains(header.name()))
                || AnnotatedElementUtils.hasAnnotation(parameter, Headers.class)
                || MessageHeaders.class.isAssignableFrom(parameter.getType());
    }

    private static boolean isOfWholeRecords(Type type) {
        String name = type instanceof ParameterizedType list && list.getActualTypeArguments().length == 1
                ? list.getActualTypeArguments()[0].getTypeName()
                : type.getTypeName();
        return name.startsWith("org.apache.kafka.clients.consumer.ConsumerRecord")
                || name.startsWith("org.springframework.messaging.Message");
    }
}
