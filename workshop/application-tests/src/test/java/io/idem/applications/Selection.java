package io.idem.applications;

import io.idem.applications.story.Application;
import io.idem.applications.story.Story;
import io.idem.applications.story.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The applications of a run and the stories told to each. */
enum Selection {
    /** The selection of every build, which takes a minute. */
    QUICK,
    /** The selection before a change is merged. */
    CI,
    /** All applications, each with every story. */
    ALL;

    static Selection ofThisRun() {
        return valueOf(System.getProperty("applications.selection", "quick").toUpperCase(Locale.ROOT));
    }

    /** Returns the selected applications; only those whose name matches {@code applications.only}, if that is set. */
    List<Application> applications() {
        String only = System.getProperty("applications.only", "");
        if (!only.isBlank()) {
            Pattern names = Pattern.compile(only);
            return Suite.all().stream()
                    .filter(application -> names.matcher(application.name()).find())
                    .toList();
        }
        return Suite.all().stream().filter(this::contains).toList();
    }

    private boolean contains(Application application) {
        return switch (this) {
            case QUICK -> application.has(Trait.QUICK) && !application.has(Trait.INBOX_ALONE);
            case CI -> application.has(Trait.QUICK) || !application.has(Trait.INBOX_ALONE);
            case ALL -> true;
        };
    }

    Set<Story> stories(Application application) {
        boolean killed = this == ALL || (this == CI && application.has(Trait.KILLED_IN_CI));
        return killed ? EnumSet.allOf(Story.class) : EnumSet.complementOf(EnumSet.of(Story.KILLED));
    }
}
