package io.idem.consumer.internal.guard;

import static io.idem.consumer.internal.guard.Refusals.application;
import static io.idem.consumer.internal.guard.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idem.consumer.IdempotentListener;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Work on another thread would be acknowledged before it is done: however it gets there, its listener is refused. */
class AsyncListenersTest {

    @Async
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Composed {}

    @Async
    static class OnClass {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "on-class")
        void on(String body) {}
    }

    @Async
    static class AsyncParent {}

    static class OnParent extends AsyncParent {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "on-parent")
        void on(String body) {}
    }

    @Async
    interface AsyncInterface {}

    static class OnInterface implements AsyncInterface {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "on-interface")
        void on(String body) {}
    }

    static class OnMethod {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "on-method")
        @Composed
        void on(String body) {}
    }

    @Composed
    static class ComposedOnClass {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "composed-on-class")
        void on(String body) {}
    }

    @EnableAsync
    static class Asynchronous {}

    @ParameterizedTest
    @ValueSource(classes = {OnClass.class, OnParent.class, OnInterface.class, OnMethod.class, ComposedOnClass.class})
    void asyncIsSeenWhereverItStands(Class<?> listener) {
        assertRefused(
                application(Asynchronous.class, listener), listener.getSimpleName() + ".on", "@Async", "acknowledged");
    }

    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @interface InBackground {}

    @EnableAsync(annotation = InBackground.class)
    static class OwnAnnotation {}

    static class OwnOnMethod {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "own-on-method")
        @InBackground
        void on(String body) {}
    }

    @InBackground
    static class OwnOnClass {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "own-on-class")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnOnMethod.class, OwnOnClass.class})
    void anAnnotationOfTheApplicationsOwnIsSeenOnTheFinishedProxy(Class<?> listener) {
        assertRefused(
                application(OwnAnnotation.class, listener),
                listener.getSimpleName() + ".on",
                "@EnableAsync(annotation",
                "another thread");
    }

    @Lazy
    @InBackground
    static class MadeLater {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "made-later")
        void on(String body) {}
    }

    @Test
    void aBeanThatIsMadeLaterIsLookedAtWhenItIsMade() {
        application(OwnAnnotation.class, MadeLater.class).run(context -> {
            assertThat(context).hasNotFailed();

            Throwable failure = catchThrowable(() -> context.getBean(MadeLater.class));

            assertThat(Refusals.refusal(failure).problem()).contains("MadeLater.on", "another thread");
        });
    }
}
