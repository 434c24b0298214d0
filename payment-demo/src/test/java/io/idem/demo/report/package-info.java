@NullMarked
package io.idem.demo.report;

import org.jspecify.annotations.NullMarked;
