package io.idem.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The direction of the arrows between the rooms of the house, over all modules at once. */
class ArchitectureTest {

    private static final String[] ENGINE = {
        "io.idem", "io.idem.spi..", "io.idem.memory..", "io.idem.redis..", "io.idem.retry..", "io.idem.json.."
    };
    private static final String CONSUMER = "io.idem.consumer..";

    /** From what users type, at the bottom, to what is put around their beans. */
    private static final List<String> LISTENERS = List.of(
            "io.idem.consumer",
            "io.idem.consumer.key",
            "io.idem.consumer.outage",
            "io.idem.consumer.delivery",
            "io.idem.consumer.definition",
            "io.idem.consumer.batch",
            "io.idem.consumer.call",
            "io.idem.consumer.guard");

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
        for (String room : LISTENERS) {
            check(separate(room, "io.idem.consumer.rabbit.."));
            check(separate(room, "io.idem.consumer.kafka.."));
            check(separate(room, "org.springframework.amqp.."));
            check(separate(room, "org.springframework.kafka.."));
        }
    }

    @Test
    void theRoomsOfTheListenersKnowOnlyThoseBelowThem() {
        for (int room = 0; room < LISTENERS.size(); room++) {
            for (String above : LISTENERS.subList(room + 1, LISTENERS.size())) {
                check(separate(LISTENERS.get(room), above));
            }
        }
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
