//! The shipped Envoy configuration with only addresses, paths and the filter's configuration filled in.
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// An Envoy configuration. Values are replaced as text, so that every other byte is what people get.
#[derive(Clone, Debug)]
pub struct EnvoyConfig {
    text: String,
}

impl EnvoyConfig {
    /// The one that the repository ships.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be read.
    pub fn shipped() -> Result<Self> {
        let path = crate::root().join("envoy-config/envoy/envoy.yaml");
        let text = std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        Ok(Self { text })
    }

    /// Any other, for tests that change more than values.
    #[must_use]
    pub const fn from_text(text: String) -> Self {
        Self { text }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces a text that must occur exactly once.
    ///
    /// # Errors
    ///
    /// Fails when it occurs never or more often: the shipped file and this harness no longer agree.
    pub fn replace(&mut self, from: &str, to: &str) -> Result<()> {
        let found = self.text.matches(from).count();
        ensure!(found == 1, "envoy.yaml has `{from}` {found} times; expected exactly one");
        self.text = self.text.replace(from, to);
        Ok(())
    }

    /// Where Envoy listens; port 0 lets the system choose.
    ///
    /// # Errors
    ///
    /// As [`EnvoyConfig::replace`].
    pub fn listen_on(&mut self, listener_port: u16, admin_port: u16) -> Result<()> {
        self.replace("port_value: 10000", &format!("port_value: {listener_port}"))?;
        self.replace("port_value: 9901", &format!("port_value: {admin_port}"))
    }

    /// The two upstreams.
    ///
    /// # Errors
    ///
    /// As [`EnvoyConfig::replace`].
    pub fn upstreams(&mut self, general: SocketAddr, reasoning: SocketAddr) -> Result<()> {
        self.replace("port_value: 8081", &format!("port_value: {}", general.port()))?;
        self.replace("port_value: 8082", &format!("port_value: {}", reasoning.port()))
    }

    /// The daemon's socket.
    ///
    /// # Errors
    ///
    /// As [`EnvoyConfig::replace`].
    pub fn socket(&mut self, path: &Path) -> Result<()> {
        self.replace("path: /run/forebay/inferd.sock", &format!("path: {}", path.display()))
    }

    /// The filter.
    ///
    /// # Errors
    ///
    /// As [`EnvoyConfig::replace`].
    pub fn wasm(&mut self, path: &Path) -> Result<()> {
        self.replace(
            "filename: /etc/envoy/forebay/plugin.wasm",
            &format!("filename: {}", path.display()),
        )
    }

    /// The filter's configuration as it stands.
    ///
    /// # Errors
    ///
    /// Fails when the file holds none, or more than one.
    pub fn filter_config(&self) -> Result<Value> {
        let (_, block, _) = self.filter_block()?;
        serde_json::from_str(block).context("the filter configuration in envoy.yaml")
    }

    /// Puts another configuration for the filter in its place.
    ///
    /// # Errors
    ///
    /// Fails when the file holds none, or more than one.
    pub fn set_filter_config(&mut self, config: &Value) -> Result<()> {
        self.set_filter_text(&config.to_string())
    }

    /// Puts any text in place of the filter's configuration, on one line.
    ///
    /// # Errors
    ///
    /// Fails when the file holds none, or more than one.
    pub fn set_filter_text(&mut self, config: &str) -> Result<()> {
        let (before, block, after) = self.filter_block()?;
        let indent = block.len() - block.trim_start_matches(' ').len();
        self.text = format!("{before}{:indent$}{config}\n{after}", "");
        Ok(())
    }

    /// Changes the filter's configuration.
    ///
    /// # Errors
    ///
    /// Fails when the file holds none, or more than one.
    pub fn edit_filter_config(&mut self, edit: impl FnOnce(&mut Value)) -> Result<()> {
        let mut config = self.filter_config()?;
        edit(&mut config);
        self.set_filter_config(&config)
    }

    /// What stands before, in and after the only block `value: |`: the lines below it that are further in.
    fn filter_block(&self) -> Result<(&str, &str, &str)> {
        const KEY: &str = "value: |\n";
        let mut found = self.text.match_indices(KEY);
        let (key, _) = found.next().context("envoy.yaml has no filter configuration `value: |`")?;
        ensure!(found.next().is_none(), "envoy.yaml has more than one `value: |`");
        let before = self.text.get(..key).unwrap_or_default();
        let indent = key - before.rfind('\n').map_or(0, |at| at + 1);
        let start = key + KEY.len();
        let rest = self.text.get(start..).unwrap_or_default();
        let inside = |line: &&str| {
            line.trim().is_empty() || line.len() - line.trim_start_matches(' ').len() > indent
        };
        let end =
            start + rest.split_inclusive('\n').take_while(inside).map(str::len).sum::<usize>();
        let part = |range: std::ops::Range<usize>| self.text.get(range).unwrap_or_default();
        Ok((part(0..start), part(start..end), part(end..self.text.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> EnvoyConfig {
        EnvoyConfig { text: text.to_owned() }
    }

    const TEXT: &str = "\
a:
  configuration:
    value: |
      {
        \"list\": [1]
      }
  next: 2
";

    #[test]
    fn the_filter_configuration_is_the_block_below_value() -> Result<()> {
        let mut config = config(TEXT);
        assert_eq!(config.filter_config()?, serde_json::json!({"list": [1]}));
        config.edit_filter_config(|value| value["list"] = "x".into())?;
        assert_eq!(
            config.text(),
            "a:\n  configuration:\n    value: |\n      {\"list\":\"x\"}\n  next: 2\n"
        );
        Ok(())
    }

    #[test]
    fn a_text_that_is_not_there_exactly_once_is_an_error() {
        let mut config = config("port_value: 1\nport_value: 2\n");
        assert!(config.replace("port_value: 3", "x").is_err());
        assert!(config.replace("port_value:", "x").is_err());
        assert!(config.replace("port_value: 1", "port_value: 7").is_ok());
    }
}
