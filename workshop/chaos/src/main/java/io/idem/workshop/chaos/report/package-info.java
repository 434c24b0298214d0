/** The findings of a run for people and programs. */
@NullMarked
package io.idem.workshop.chaos.report;

import org.jspecify.annotations.NullMarked;
