package io.idem.servers.junit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails a test in which idem logs a line about a message, a request or an operation that does not say whose it is: scope and digest of
 * the key, in its text or in the fields of SLF4J's MDC. A line about a message without a usable key says the scope.
 */
public final class LinesNameTheirRecord implements BeforeEachCallback, AfterEachCallback {

    /** Loggers whose lines are about the application, a listener, a connection or a store, or come from Spring's part of a template. */
    private static final Set<String> ABOUT_NO_MESSAGE = Set.of(
            "StartUpReport",
            "RouteReport",
            "ThreadlessWaits",
            "ScopeSettingsCheck",
            "UninboxedBatches",
            "PollBudget",
            "ListenerPolicy",
            "ListenerSources",
            "ListenerStops",
            "RetryTopics",
            "KafkaListenerHook",
            "DeliveryLimits",
            "IdempotentRabbitEndpoint",
            "RabbitTemplateHook",
            "ProducerFactoryPostProcessor",
            "ScopeOutages",
            "HookInstallation",
            "BatchPublishing",
            "Observed",
            "WorkersLane",
            "UnguardedStore");

    private static final Pattern RECORD = Pattern.compile("[a-z0-9][a-z0-9._-]*/[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])");
    private static final Pattern SCOPE = Pattern.compile("scope \"[^\"]+\"");
    private static final Pattern WITHOUT_KEY =
            Pattern.compile("idempotency.key|key was not read|carries no key|failed on \\d+ messages at once");
    private static final Pattern ABOUT_ALL = Pattern.compile("are hooked|no tenant|resolved tenant");

    private final Lines lines = new Lines();

    @Override
    public void beforeEach(ExtensionContext test) {
        lines.attach();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        List<String> nameless = lines.detach();
        if (!nameless.isEmpty()) {
            throw new AssertionError("Lines without scope and key:\n" + String.join("\n", nameless));
        }
    }

    private static final class Lines extends AppenderBase<ILoggingEvent> {

        private final Logger idem = (Logger) LoggerFactory.getLogger("io.idem");
        private final List<String> nameless = new CopyOnWriteArrayList<>();

        void attach() {
            nameless.clear();
            setContext(idem.getLoggerContext());
            start();
            idem.setLevel(Level.DEBUG);
            idem.addAppender(this);
        }

        List<String> detach() {
            idem.detachAppender(this);
            idem.setLevel(null);
            stop();
            return List.copyOf(nameless);
        }

        @Override
        protected void append(ILoggingEvent event) {
            String logger =
                    event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1);
            String text = event.getFormattedMessage();
            boolean ofATest = logger.contains("$");
            boolean aboutNone =
                    ABOUT_NO_MESSAGE.contains(logger) || ABOUT_ALL.matcher(text).find();
            if (!ofATest && !aboutNone && !named(text, event.getMDCPropertyMap()) && !keyless(text, event)) {
                nameless.add(event.getLevel() + " " + logger + ": " + text);
            }
        }

        private static boolean named(String text, Map<String, String> fields) {
            return RECORD.matcher(text).find() || fields.keySet().containsAll(Set.of("idem.key", "idem.scope"));
        }

        private static boolean keyless(String text, ILoggingEvent event) {
            boolean forItsKey = Stream.iterate(event.getThrowableProxy(), Objects::nonNull, IThrowableProxy::getCause)
                    .anyMatch(thrown -> thrown.getClassName().endsWith("KeyException"));
            return SCOPE.matcher(text).find()
                    && (forItsKey || WITHOUT_KEY.matcher(text).find());
        }
    }
}
