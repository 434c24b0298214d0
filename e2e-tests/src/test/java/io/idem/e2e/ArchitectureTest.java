package io.idem.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The direction of the arrows between the rooms of the house, over all modules at once. */
class ArchitectureTest {

    private static final String[] ENGINE = {
        "io.idem", "io.idem.spi..", "io.idem.memory..", "io.idem.redis..", "io.idem.retry..", "io.idem.json.."
    };
    private static final String CONSUMER = "io.idem.consumer..";
    private static final String HTTP = "io.idem.http..";
    private static final String GATEWAY = "io.idem.gateway..";
    private static final String JDBC = "io.idem.jdbc..";
    private static final String[] OUTSIDE_OF_THE_ENGINE = {CONSUMER, HTTP, GATEWAY, JDBC, "io.idem.demo.."};

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.idem");

    @Test
    void theEngineKnowsNeitherSpringNorAnyOfItsUsers() {
        check(noClasses()
                .that()
                .resideInAnyPackage(ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
        check(noClasses()
                .that()
                .resideInAnyPackage(ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(OUTSIDE_OF_THE_ENGINE));
    }

    @Test
    void whatUsersTypeKnowsNoStore() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.idem", "io.idem.spi..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.idem.memory..", "io.idem.redis..", "io.idem.retry..", "io.idem.json.."));
    }

    @Test
    void httpAndMessagesDoNotKnowEachOther() {
        check(separate(HTTP, CONSUMER));
        check(separate(CONSUMER, HTTP));
    }

    @Test
    void theBrokersDoNotKnowEachOther() {
        check(separate("io.idem.consumer.rabbit..", "io.idem.consumer.kafka.."));
        check(separate("io.idem.consumer.kafka..", "io.idem.consumer.rabbit.."));
        check(separate("io.idem.consumer.rabbit..", "org.springframework.kafka.."));
        check(separate("io.idem.consumer.kafka..", "org.springframework.amqp.."));
    }

    @Test
    void whatAllListenersShareKnowsNoBroker() {
        check(separate("io.idem.consumer", "io.idem.consumer.rabbit.."));
        check(separate("io.idem.consumer", "io.idem.consumer.kafka.."));
        check(separate("io.idem.consumer", "org.springframework.amqp.."));
        check(separate("io.idem.consumer", "org.springframework.kafka.."));
    }

    @Test
    void theInboxKnowsNeitherHttpNorMessages() {
        check(separate(JDBC, HTTP));
        check(separate(JDBC, CONSUMER));
        check(separate(HTTP, JDBC));
        check(separate(CONSUMER, JDBC));
    }

    @Test
    void nobodyInTheLibraryKnowsTheServersOfTheTestsOrTheDemo() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.idem.servers..", "io.idem.demo..", "io.idem.e2e..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.idem.servers..", "io.idem.demo.."));
    }

    @Test
    void autoConfigurationIsNobodysApi() {
        check(classes()
                .that()
                .resideInAPackage("io.idem..autoconfigure..")
                .and()
                .haveSimpleNameNotEndingWith("package-info")
                .should()
                .notHaveModifier(JavaModifier.PUBLIC));
    }

    private static ArchRule separate(String these, String those) {
        return noClasses()
                .that()
                .resideInAPackage(these)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(those);
    }

    private static void check(ArchRule rule) {
        rule.check(HOUSE);
    }
}
