package io.idem.consumer.internal.guard;

import static io.idem.consumer.internal.guard.Refusals.application;
import static io.idem.consumer.internal.guard.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.guard.elsewhere.Inherited;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.core.OverridingClassLoader;
import org.springframework.core.SmartClassLoader;

/** Methods that a proxy cannot override would run unguarded: their beans are refused. */
class ReachableListenersTest {

    static class OfAnotherPackage extends Inherited.Listener {}

    @Test
    void packagePrivateMethodsOfAnotherPackageAreRefused() {
        assertRefused(
                application(OfAnotherPackage.class),
                "Listener.on",
                "package-private",
                OfAnotherPackage.class.getName(),
                "Make it protected or public");
    }

    /** A parent that stays in the class loader of the tests. */
    public abstract static class Parent {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "parent")
        void on(String body) {}
    }

    public static class Child extends Parent {}

    @Test
    void packagePrivateMethodsInheritedWithinThePackageAreGuarded() {
        application(Child.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void packagePrivateMethodsOfAClassOfAnotherClassLoaderAreRefused() throws ClassNotFoundException {
        ClassLoader loader = new OverridingClassLoader(getClass().getClassLoader()) {
            @Override
            protected boolean isEligibleForOverriding(String name) {
                return name.equals(Child.class.getName());
            }
        };
        Class<?> child = loader.loadClass(Child.class.getName());
        assertThat(child).isNotSameAs(Child.class);

        assertRefused(application(child), "Parent.on", "package-private", "class loader");
    }

    /** Defines proxies in itself, as the class loaders of some containers do; public for the one that asks it to. */
    public static final class DefiningLoader extends URLClassLoader implements SmartClassLoader {

        DefiningLoader(ClassLoader parent) {
            super(new URL[0], parent);
        }

        @Override
        public Class<?> publicDefineClass(String name, byte[] bytes, @Nullable ProtectionDomain domain) {
            return defineClass(name, bytes, 0, bytes.length, domain);
        }
    }

    /** Not the class of another test: its proxy's class is made once. */
    public static class Own {

        @RabbitListener(queues = "queue")
        @IdempotentListener(scope = "own")
        void on(String body) {}
    }

    @Test
    void packagePrivateMethodsBehindAProxyOfAnotherClassLoaderAreRefused() {
        assertRefused(
                application(Own.class)
                        .withClassLoader(new DefiningLoader(getClass().getClassLoader())),
                "Own.on",
                "package-private",
                "class loader");
    }

    @RabbitListener(queues = "queue")
    static class WithPrivateHandler {

        @RabbitHandler
        @IdempotentListener(scope = "guarded")
        void on(String body) {}

        @RabbitHandler
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void other(byte[] body) {}
    }

    @RabbitListener(queues = "queue")
    static class WithInheritedHandler extends Inherited.Handler {

        @RabbitHandler
        @IdempotentListener(scope = "guarded")
        void on(String body) {}
    }

    @Test
    void otherHandlerMethodsOfTheClassThatNoProxySeesAreRefused() {
        assertRefused(application(WithPrivateHandler.class), "Handler method WithPrivateHandler.other", "is private");
        assertRefused(application(WithInheritedHandler.class), "Handler method Handler.other", "is package-private");
    }
}
