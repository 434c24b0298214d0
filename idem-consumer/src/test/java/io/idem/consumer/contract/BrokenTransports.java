package io.idem.consumer.contract;

import io.idem.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/** A transport to a broker in memory, and transports with one flaw each. */
final class BrokenTransports {

    private static final String NAME = "memory";
    private static final String REFUSED = "refused";

    private BrokenTransports() {}

    /** Reads messages whose lines are the body and then the headers. */
    static class Sound implements OutgoingTransport {

        private final List<ReceivedMessage> broker;

        Sound(List<ReceivedMessage> broker) {
            this.broker = broker;
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public CompletionStage<?> publish(OutgoingMessage message) {
            try {
                return arrive(decode(message));
            } catch (RuntimeException unreadable) {
                return CompletableFuture.failedFuture(unreadable);
            }
        }

        CompletionStage<?> arrive(ReceivedMessage message) {
            if (message.body().equals(REFUSED)) {
                return CompletableFuture.failedFuture(new IllegalStateException("refused"));
            }
            synchronized (broker) {
                broker.add(message);
            }
            return CompletableFuture.completedFuture(null);
        }

        final ReceivedMessage decode(OutgoingMessage message) {
            List<String> lines = new String(message.content(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            Map<String, String> headers = new TreeMap<>();
            for (String line : lines.subList(1, lines.size())) {
                headers.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
            if (!lines.get(0).chars().allMatch(c -> c >= ' ' && c < 127)) {
                throw new IllegalStateException("unreadable");
            }
            return new ReceivedMessage(lines.get(0), headers);
        }
    }

    /** Completes the stage while the message is still on its way. */
    static final class ConfirmsTooEarly extends Sound {

        ConfirmsTooEarly(List<ReceivedMessage> broker) {
            super(broker);
        }

        @Override
        CompletionStage<?> arrive(ReceivedMessage message) {
            return message.body().equals(REFUSED) ? super.arrive(message) : CompletableFuture.completedFuture(null);
        }
    }

    /** Takes a refusal for a confirm. */
    static final class IgnoresRefusals extends Sound {

        IgnoresRefusals(List<ReceivedMessage> broker) {
            super(broker);
        }

        @Override
        CompletionStage<?> arrive(ReceivedMessage message) {
            return super.arrive(message).handle((confirmed, refused) -> "confirmed");
        }
    }

    /** Publishes bodies alone. */
    static final class DropsHeaders extends Sound {

        DropsHeaders(List<ReceivedMessage> broker) {
            super(broker);
        }

        @Override
        CompletionStage<?> arrive(ReceivedMessage message) {
            return super.arrive(new ReceivedMessage(message.body(), Map.of()));
        }
    }

    /** Throws what the stage should tell. */
    static final class Throws extends Sound {

        Throws(List<ReceivedMessage> broker) {
            super(broker);
        }

        @Override
        public CompletionStage<?> publish(OutgoingMessage message) {
            return arrive(decode(message));
        }
    }

    /** Publishes a message of another thread now and then, because all threads share one field. */
    static final class SharesAField extends Sound {

        private static final Duration TIME_FOR_ANOTHER_THREAD = Duration.ofMillis(1);

        private volatile ReceivedMessage current = new ReceivedMessage("", Map.of());

        SharesAField(List<ReceivedMessage> broker) {
            super(broker);
        }

        @Override
        CompletionStage<?> arrive(ReceivedMessage message) {
            current = message;
            LockSupport.parkNanos(TIME_FOR_ANOTHER_THREAD.toNanos());
            return super.arrive(current);
        }
    }

    /** A broker that does not answer. */
    static final class Unreachable extends Sound {

        private final CompletionStage<?> answer;

        Unreachable(CompletionStage<?> answer) {
            super(new ArrayList<>());
            this.answer = answer;
        }

        @Override
        CompletionStage<?> arrive(ReceivedMessage message) {
            return answer;
        }
    }

    static OutgoingMessage message(String body, Map<String, String> headers) {
        StringBuilder lines = new StringBuilder(body);
        headers.forEach(
                (name, value) -> lines.append('\n').append(name).append('=').append(value));
        return new OutgoingMessage(NAME, "memory", lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    static OutgoingMessage refused() {
        return message(REFUSED, Map.of());
    }
}
