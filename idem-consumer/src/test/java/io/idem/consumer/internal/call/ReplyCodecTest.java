package io.idem.consumer.internal.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.internal.RawResultCodec;
import io.idem.internal.result.ResultCodecs;
import io.idem.json.JacksonResultCodec;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.databind.json.JsonMapper;

/** Replies that are whole messages, as they are stored. */
class ReplyCodecTest {

    private static final Type OF_ANYTHING = new ParameterizedTypeReference<Message<?>>() {}.getType();
    private static final Type OF_RECEIPTS = new ParameterizedTypeReference<Message<Receipt>>() {}.getType();

    private final ResultCodec json = new JacksonResultCodec(new JsonMapper());
    private final ReplyCodec codec = new ReplyCodec(json, List.of(new MessageReply()));

    private record Receipt(String result, BigDecimal amount) {}

    private Message<?> storedAndRead(Message<?> reply, Type type) {
        return (Message<?>) Objects.requireNonNull(codec.decode(codec.encode(reply), type));
    }

    @Test
    void severalMessagesInOneReplyAreNotKept() {
        assertThat(codec.encode(List.of(new GenericMessage<>("one"), new GenericMessage<>("two"))))
                .isEqualTo(StoredResult.OMITTED);
        assertThat(codec.encode(List.of("one", "two")).codec()).isEqualTo(json.name());
    }

    static Stream<Object> storableValues() {
        return Stream.of(
                "text, ä",
                true,
                (byte) 1,
                (short) -2,
                3,
                4L,
                5.5f,
                6.5,
                new BigDecimal("10.00"),
                new byte[] {1, 2, 3},
                Date.from(Instant.ofEpochMilli(1_795_256_130_123L)),
                UUID.fromString("00000000-0000-0001-0000-000000000002"),
                Arrays.asList("a", null, List.of(1L, Map.of("b", false))),
                Map.of("name", "x", "lines", List.of(1, 2)));
    }

    @ParameterizedTest
    @MethodSource("storableValues")
    void aHeaderKeepsItsValueAndItsClass(Object value) {
        Message<?> read = storedAndRead(new GenericMessage<>("done", Map.of("header", value)), OF_ANYTHING);

        assertThat(read.getHeaders().get("header")).isEqualTo(value);
    }

    @Test
    void whatBelongsToOneDeliveryIsNotStored() {
        GenericMessage<String> reply = new GenericMessage<>(
                "done",
                Map.of(
                        "kept",
                        "yes",
                        "kafka_correlationId",
                        new byte[] {1},
                        "amqp_correlationId",
                        "c-1",
                        "amqp_channel",
                        new Object(),
                        "own",
                        new Object()));

        MessageHeaders read = storedAndRead(reply, OF_ANYTHING).getHeaders();

        assertThat(read).containsOnlyKeys("kept", MessageHeaders.ID, MessageHeaders.TIMESTAMP);
        assertThat(read.getId()).isNotEqualTo(reply.getHeaders().getId());
    }

    @Test
    void aContentTypeIsStoredAsText() {
        Message<?> reply = new GenericMessage<>("done", Map.of(MessageHeaders.CONTENT_TYPE, MimeTypeUtils.TEXT_PLAIN));

        assertThat(storedAndRead(reply, OF_ANYTHING).getHeaders())
                .containsEntry(MessageHeaders.CONTENT_TYPE, "text/plain");
    }

    @Test
    void aPayloadIsReadAsTheTypeThatTheMethodDeclares() {
        Receipt receipt = new Receipt("done", new BigDecimal("10.00"));

        assertThat(storedAndRead(new GenericMessage<>(receipt), OF_RECEIPTS).getPayload())
                .isEqualTo(receipt);
    }

    @Test
    void textAndBytesAreReadAsSuchWhateverTheMethodDeclares() {
        assertThat(storedAndRead(new GenericMessage<>("done"), Message.class).getPayload())
                .isEqualTo("done");
        assertThat(storedAndRead(new GenericMessage<>("done".getBytes(UTF_8)), OF_ANYTHING)
                        .getPayload())
                .isEqualTo("done".getBytes(UTF_8));
    }

    @Test
    void whatIsNoMessageIsStoredAsEver() {
        assertThat(codec.encode("done")).isEqualTo(json.encode("done"));
        assertThat(codec.decode(json.encode("done"), String.class)).isEqualTo("done");
    }

    /** Written by the first version; it must be read for ever. */
    @Test
    void theStoredFormIsTheDocumentedOne() {
        StoredResult written = new ReplyCodec(new RawResultCodec(), List.of(new MessageReply()))
                .encode(new GenericMessage<>("done", Map.of("version", 7)));

        assertThat(written.codec()).isEqualTo("message.1");
        assertThat(HexFormat.of().formatHex(written.content()))
                .isEqualTo("00000001" + "00000007" + "76657273696f6e" + "49" + "00000007" + "53" + "03" + "726177"
                        + "646f6e65");
    }

    @Test
    void aPayloadOutlivesAChangeOfTheApplicationsCodec() {
        StoredResult raw =
                new ReplyCodec(new RawResultCodec(), List.of(new MessageReply())).encode(new GenericMessage<>("done"));
        ResultCodecs both = new ResultCodecs(List.of(new RawResultCodec(), json), "json");

        Message<?> read = (Message<?>) new ReplyCodec(both, List.of(new MessageReply())).decode(raw, OF_ANYTHING);

        assertThat(read).isNotNull();
        assertThat(read.getPayload()).isEqualTo("done");
    }

    @ParameterizedTest
    @MethodSource("unreadableContents")
    void whatCannotBeReadIsRefusedByName(byte[] content) {
        assertThatThrownBy(() -> codec.decode(StoredResult.of("message.1", content), OF_ANYTHING))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContaining("message.1");
    }

    static Stream<byte[]> unreadableContents() {
        HexFormat hex = HexFormat.of();
        return Stream.of(
                new byte[0],
                hex.parseHex("00000001" + "000000ff" + "76"),
                hex.parseHex("00000001" + "00000001" + "76" + "7f" + "00"));
    }
}
