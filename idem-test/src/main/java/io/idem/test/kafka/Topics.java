package io.idem.test.kafka;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.support.TopicPartitionOffset;

/** The topics of a container: names, a pattern, or partitions. */
record Topics(ContainerProperties properties) {

    boolean contain(String topic) {
        return Stream.ofNullable(properties.getTopics()).flatMap(Arrays::stream).anyMatch(topic::equals)
                || Stream.ofNullable(properties.getTopicPattern())
                        .anyMatch(pattern -> pattern.matcher(topic).matches())
                || Stream.ofNullable(properties.getTopicPartitions())
                        .flatMap(Arrays::stream)
                        .filter(Objects::nonNull)
                        .map(TopicPartitionOffset::getTopic)
                        .anyMatch(topic::equals);
    }
}
