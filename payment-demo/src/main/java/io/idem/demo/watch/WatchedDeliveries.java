package io.idem.demo.watch;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.demo.watch.WorkerEvent.What;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.support.KafkaUtils;

/** Logs every delivery before it is handled. */
@Configuration(proxyBeanMethods = false)
class WatchedDeliveries {

    private final WorkerLog log;

    WatchedDeliveries(WorkerLog log) {
        this.log = log;
    }

    @Bean
    ContainerCustomizer<SimpleMessageListenerContainer> watchedQueues() {
        return container -> container.setAfterReceivePostProcessors(this::delivered);
    }

    private Message delivered(Message message) {
        boolean redelivered = Boolean.TRUE.equals(message.getMessageProperties().isRedelivered());
        String queue = String.valueOf(message.getMessageProperties().getConsumerQueue());
        log.write(What.DELIVERED, queue, "", redelivered ? WorkerEvent.REDELIVERED : "", 0);
        return message;
    }

    @Bean
    RecordInterceptor<Object, Object> watchedTopics() {
        return this::delivered;
    }

    private ConsumerRecord<Object, Object> delivered(
            ConsumerRecord<Object, Object> consumed, Consumer<Object, Object> consumer) {
        String place = consumed.topic() + "-" + consumed.partition() + "@" + consumed.offset();
        String group = String.valueOf(KafkaUtils.getConsumerGroupId());
        log.write(What.DELIVERED, group, place, "", 0);
        follows(group, consumed.headers());
        return consumed;
    }

    private void follows(String group, Headers headers) {
        String tenant = text(headers, IdempotencyHeaders.TENANT);
        String key = text(headers, IdempotencyHeaders.KEY);
        String root = text(headers, IdempotencyHeaders.ROOT);
        if (!tenant.isEmpty() && !key.isEmpty() && !root.isEmpty() && !root.equals(key)) {
            String rootId = new IdempotencyKey(tenant, root).id();
            log.write(What.FOLLOWS, group, new IdempotencyKey(tenant, key).id(), rootId, 0);
        }
    }

    private static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
