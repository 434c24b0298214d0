package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LibrariesTest {

    @Test
    void versionsAreReadFromTheNamesOfFiles() {
        Libraries libraries = new Libraries("/r/redisson-4.7.0.jar:/r/spring-boot-kafka-9.jar:/r/spring-boot-4.1.1.jar"
                + ":C:\\r\\lettuce-core-7.5.2.RELEASE.jar");

        assertThat(libraries.versions()).isEqualTo("lettuce-core 7.5.2.RELEASE, spring-boot 4.1.1, redisson 4.7.0");
    }
}
