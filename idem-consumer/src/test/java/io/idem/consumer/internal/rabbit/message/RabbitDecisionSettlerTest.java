package io.idem.consumer.internal.rabbit.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import com.rabbitmq.client.Channel;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Message;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The settlement of a message by each decision, without a broker. */
@ExtendWith(OutputCaptureExtension.class)
class RabbitDecisionSettlerTest {

    private static final long TAG = 7;
    private static final Scope SCOPE = new Scope("payments");
    private static final DeliveryDecision.Defer DEFERRED =
            new DeliveryDecision.Defer(SCOPE, Duration.ZERO, "another owner holds the lease");
    private static final DeliveryDecision.DeadLetter DEAD =
            new DeliveryDecision.DeadLetter(SCOPE, "no such account", 3);

    private final List<String> steps = new ArrayList<>();
    private final List<Map<String, String>> deaths = new ArrayList<>();
    private final Message message = new Message(new byte[0]);
    private final Delivery delivery = new Delivery(new RabbitDelivery(message, () -> false));
    private final MethodInvocation invocation = mock(MethodInvocation.class);
    private DeadLetters.Result letter = DeadLetters.Result.CONFIRMED;

    private void settle(MessageSettler settler, DeliveryDecision decision) throws Exception {
        DeadLetters letters = (dead, why) -> {
            steps.add("letter");
            return letter;
        };
        new RabbitDecisionSettler(new ConsumerEvents(List.of()), letters)
                .settle(delivery, settler, decision, Duration.ZERO);
    }

    /** A container that acknowledges by itself does so when its listener returns. */
    @Test
    void aDeferredMessageIsNotAcknowledgedByItsContainer() {
        assertThatThrownBy(() -> settle(new AutoSettler(invocation, message), DEFERRED))
                .isInstanceOf(DeferredDeliveryException.class);
    }

    @Test
    void aDeferredMessageIsRequeuedOverTheChannelOfItsListener() throws Exception {
        message.getMessageProperties().setDeliveryTag(TAG);
        Channel channel = mock(Channel.class);

        settle(new AsyncSettler(invocation, channel, message, delivery, true), DEFERRED);

        verify(channel).basicNack(TAG, false, true);
        verifyNoMoreInteractions(channel);
    }

    @Test
    void aMessageIsAcknowledgedAfterItsDeadLetterIsConfirmed() throws Exception {
        settle(new Recorded(), DEAD);

        assertThat(steps).containsExactly("letter", "acknowledged");
    }

    @Test
    void aMessageWhoseDeadLetterIsRefusedComesAgain() throws Exception {
        letter = DeadLetters.Result.REFUSED;

        settle(new Recorded(), DEAD);

        assertThat(steps).containsExactly("letter", "deferred");
    }

    @Test
    void aMessageIsRejectedWhereItsQueueMakesTheDeadLetter() throws Exception {
        letter = DeadLetters.Result.LEFT_TO_THE_QUEUE;

        settle(new Recorded(), DEAD);

        assertThat(steps).containsExactly("letter", "rejected");
    }

    @Test
    void aDeadLetterThatItsQueueGotBackIsSaidWithTheSettings(CapturedOutput output) throws Exception {
        letter = DeadLetters.Result.LEFT_TO_THE_QUEUE;
        message.getMessageProperties().setConsumerQueue("payments");
        died("payments", "expired");
        died("payments.wait", "rejected");
        settle(new Recorded(), DEAD);
        assertThat(output).contains("no such account").doesNotContain("came back");

        died("payments", "rejected");
        settle(new Recorded(), DEAD);

        assertThat(output).contains("no such account", "came back", "idem.consumer.rabbit.dead-letter.exchange");
    }

    private void died(String queue, String reason) {
        deaths.add(Map.of("queue", queue, "reason", reason));
        message.getMessageProperties().setHeader("x-death", deaths);
    }

    @Test
    void aDuplicateIsAcknowledged() throws Exception {
        settle(new Recorded(), new DeliveryDecision.Duplicate());

        assertThat(steps).containsExactly("acknowledged");
    }

    /** Notes what it is told. */
    private final class Recorded implements MessageSettler {

        @Override
        public void finished() {
            steps.add("finished");
        }

        @Override
        public void acknowledge() {
            steps.add("acknowledged");
        }

        @Override
        public void defer(DeliveryDecision.Defer decision) {
            steps.add("deferred");
        }

        @Override
        public void reject(DeliveryDecision.DeadLetter decision) {
            steps.add("rejected");
        }
    }
}
