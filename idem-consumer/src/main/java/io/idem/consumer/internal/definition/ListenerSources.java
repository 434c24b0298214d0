package io.idem.consumer.internal.definition;

import io.idem.consumer.ListenerConfigurationException;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells at start of listeners that may lose messages as duplicates: those that read several queues or topics, in which
 * messages may have equal keys, and those of which each instance of the application gets every message.
 *
 * @param host name of this instance's machine; empty if it is not known
 */
public record ListenerSources(String host) {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerSources.class);
    private static final String FIRST_ONLY =
            "{} reads {}: of messages with one key only the first runs, also if they come from different queues or topics."
                    + " If each is to run, name the queue or topic in key, or use a listener and a scope for each";
    private static final String ONE_INSTANCE =
            "{} reads by {}, a name as of one instance. If each instance of the application has its own, each gets every"
                    + " message, but only one of them runs it. To run it in each, remove @IdempotentListener, or name the"
                    + " instance in scope";
    private static final Pattern GENERATED = Pattern.compile(
            "^(spring|amq)\\.gen-|(anonymous\\.[\\w-]{22}|\\p{XDigit}{8}(-?\\p{XDigit}{4}){3}-?\\p{XDigit}{12})$");

    /**
     * Checks a listener.
     *
     * @param sources its queues or topics
     * @param several whether they are more than one
     * @param shared the queues or the consumer group that the instances of an application share
     */
    public void check(ListenerDefinition listener, Object sources, boolean several, List<String> shared) {
        String name = ListenerConfigurationException.describe(listener.method());
        String key = listener.keys().toString();
        // A key in a header is made for one message; messages of several kinds may share a value of their content.
        boolean content = key.startsWith("key ") && !key.matches("(?s).*(opic|ueue).*");
        if (several) {
            LOG.atLevel(content ? Level.WARN : Level.INFO).log(FIRST_ONLY, name, sources);
        }
        if (!isOfInstance(listener.scope().name())) {
            shared.stream().filter(this::isOfInstance).forEach(own -> LOG.warn(ONE_INSTANCE, name, own));
        }
    }

    private boolean isOfInstance(String name) {
        return GENERATED.matcher(name).find() || (host.matches(".*\\d.*") && name.contains(host));
    }
}
