@NullMarked
package io.idem.workshop.chaos.report;

import org.jspecify.annotations.NullMarked;
