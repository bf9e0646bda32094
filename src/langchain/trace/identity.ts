/**
 * Returns the config of a run that is not marked.
 *
 * @param config The config.
 */
export function identity<Config>(config: Config): Config {
  return config;
}
