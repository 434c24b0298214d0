/** A template that is no bean: what it publishes carries no key. */
@NullMarked
package io.idem.applications.rabbit.hiddentemplate;

import org.jspecify.annotations.NullMarked;
