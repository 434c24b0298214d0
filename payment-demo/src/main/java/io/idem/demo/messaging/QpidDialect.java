package io.idem.demo.messaging;

import io.idem.servers.qpid.QpidDeclarations;
import java.util.Map;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.DeclarableCustomizer;
import org.springframework.amqp.core.Queue;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Translates queue arguments to those of Apache Qpid, if the demo runs on it. Not needed with RabbitMQ. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "demo.amqp-dialect", havingValue = "qpid")
class QpidDialect {

    @Bean
    DeclarableCustomizer qpidDeclarations() {
        return QpidDialect::translated;
    }

    private static Declarable translated(Declarable declarable) {
        if (!(declarable instanceof Queue queue)) {
            return declarable;
        }
        Map<String, Object> arguments = QpidDeclarations.queueArguments(queue.getArguments());
        return new Queue(queue.getName(), queue.isDurable(), queue.isExclusive(), queue.isAutoDelete(), arguments);
    }
}
