package io.idem.applications;

import static io.idem.applications.story.RunningApplication.awaiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.applications.story.RunningApplication;
import io.idem.consumer.IdempotencyHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/** The proofs of individual applications. */
final class Proofs {

    private static final String CONNECTION = "x-idempotency-connection";

    private Proofs() {}

    static void aKeyOfBlanksIsADeadLetter(RunningApplication running) {
        String payment = fresh("blank-key");
        running.site().publish(payment, Map.of(IdempotencyHeaders.KEY, "   "));

        awaiting("a dead letter").until(() -> running.site().deadLetters(payment) == 1);
        assertThat(running.ledger().attempts(payment)).isZero();
    }

    static void anotherPayloadIsTakenForADuplicate(RunningApplication running) {
        String key = fresh("key");
        String first = fresh("first");
        running.site().publish(first, Map.of(IdempotencyHeaders.KEY, key));
        awaiting("the first payload").until(() -> running.ledger().effects(first) == 1);
        String second = fresh("second");
        long before = running.duplicates();
        running.site().publish(second, Map.of(IdempotencyHeaders.KEY, key));

        awaiting("a duplicate").until(() -> running.duplicates() > before);
        assertThat(running.ledger().attempts(second)).isZero();
        assertThat(running.site().deadLetters(second)).isZero();
    }

    static void anotherPayloadIsADeadLetter(RunningApplication running) {
        String key = fresh("key");
        String first = fresh("first");
        running.site().publish(first, Map.of(IdempotencyHeaders.KEY, key));
        awaiting("the first payload").until(() -> running.ledger().effects(first) == 1);
        String second = fresh("second");
        running.site().publish(second, Map.of(IdempotencyHeaders.KEY, key));

        awaiting("a dead letter").until(() -> running.site().deadLetters(second) == 1);
        assertThat(running.ledger().attempts(second)).isZero();
    }

    static void eachItemIsPaidOnce(RunningApplication running) {
        String payment = fresh("parcel");
        running.site().publish(payment, Map.of(IdempotencyHeaders.KEY, payment));
        List<String> items = List.of("x of " + payment, "y of " + payment, "z of " + payment);

        awaiting("all items")
                .until(() -> items.stream().allMatch(item -> running.ledger().effects(item) == 1));
        awaiting("the payment").until(() -> running.ledger().effects(payment) == 1);
    }

    static void aLetterNamesItsConnection(RunningApplication running) {
        String payment = fresh("blank-key");
        running.site().publish(payment, Map.of(IdempotencyHeaders.KEY, "   "));

        List<Message> letters = take(running, ".dead", payment, 1);
        assertThat(letters.get(0).getMessageProperties().<Object>getHeader(CONNECTION))
                .isEqualTo("tenantConnections");
    }

    static void aDuplicateIsAnsweredWithItsHeaders(RunningApplication running) {
        String payment = fresh("answered");
        running.site().publish(payment, Map.of(IdempotencyHeaders.KEY, payment));
        running.site().publish(payment, Map.of(IdempotencyHeaders.KEY, payment));

        assertThat(take(running, ".events", "receipt of " + payment, 2))
                .allSatisfy(reply -> assertThat(reply.getMessageProperties().<Object>getHeader("receipt"))
                        .isEqualTo(payment));
        assertThat(running.ledger().effects(payment)).isOne();
    }

    /** More claims than a message of a quorum queue may return, each of which would be a return without a wait. */
    static void aCallInProgressUsesUpNoDeliveryLimit(RunningApplication running) {
        runsAfterWorkElsewhere(running, ".quorum", 25);
    }

    /** By the eighth claim the time of the message is over. */
    static void aMessageThatExpiresWaitsForItsKey(RunningApplication running) {
        runsAfterWorkElsewhere(running, ".expiring", 8);
    }

    private static void runsAfterWorkElsewhere(RunningApplication running, String suffix, int claims) {
        String payment = fresh("elsewhere" + suffix);
        long before = running.claimsInProgress();
        running.whileElsewhere(payment, () -> {
            running.bean(RabbitTemplate.class).convertAndSend("", running.site().name() + suffix, payment, message -> {
                message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, payment);
                return message;
            });
            awaiting(claims + " claims").until(() -> running.claimsInProgress() - before >= claims);
        });
        awaiting("the effect").until(() -> running.ledger().effects(payment) == 1);
        assertThat(running.site().deadLetters(payment)).isZero();
    }

    /** Takes messages with this body from another queue of the application. */
    private static List<Message> take(RunningApplication running, String suffix, String body, int number) {
        RabbitTemplate template = running.bean(RabbitTemplate.class);
        List<Message> taken = new ArrayList<>();
        awaiting(number + " messages in " + suffix).until(() -> {
            @Nullable Message next = template.receive(running.site().name() + suffix);
            if (next != null && new String(next.getBody(), StandardCharsets.UTF_8).equals(body)) {
                taken.add(next);
            }
            return taken.size() == number;
        });
        return taken;
    }

    private static String fresh(String kind) {
        return kind + "-" + UUID.randomUUID();
    }
}
